"""Stands before the library of this name in processes that tests start.

Loading its model takes as long as all that most of these do. The process of the tests has the library.
"""

raise ImportError("no model of languages in processes that tests start", name="py3langid")
