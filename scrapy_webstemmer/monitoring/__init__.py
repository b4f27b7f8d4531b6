"""Notice that a site has changed since it was learned.

``tally`` counts what a site's pages give: those that were learned from, whose counts the pattern file keeps,
and those of a later crawl. ``find_drift`` compares the two. ``differences`` tells what other patterns change.
"""
