"""Learn and match the layouts of 2009, where a page is the sequence of its blocks' features.

``sequence``: how alike two sequences are. ``clusters``, ``sections``, ``title``: the steps of learning.
``assignment``: which of a page's blocks belong to which section, in learning and in extraction.
"""
