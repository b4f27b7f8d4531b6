"""Learn and match the layouts of 2009, where a page is the sequence of its blocks' features.

``layouts_2009``: how alike two sequences are, and which of a page's blocks belong to which section.
``patterns_2009``: the steps of learning.
"""
