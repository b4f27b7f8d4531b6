"""Learn and match the layouts of 2009, where a page is the sequence of its blocks' features.

``layouts_2009``: how alike two sequences are. ``patterns_2009``, ``sections_2009``: the steps of learning.
``assignment_2009``: which of a page's blocks belong to which section, in learning and in extraction.
"""
