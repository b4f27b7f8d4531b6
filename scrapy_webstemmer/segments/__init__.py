"""Incremental template detection: what repeats on a site, counted page by page, with no learning phase.

Source: Y. Wang, B. Fang, X. Cheng, L. Guo, H. Xu, *Incremental Web Page Template
Detection*, WWW 2008. Each page goes through four steps, and no page is kept.

1. ``segmentation``: the page's layout blocks, each as its text segments.
2. ``table``, expansion: each segment's document frequency (DF) is raised by one.
3. ``detection``: a block of which enough text has enough DF is template.
4. ``table``, shrinkage: what was not seen for long enough, by its DF, is removed.

Departures:

- The table holds digests of path and text, 56 bits, not the texts: among 100,000
  segments two have the same one with a probability of 1 in 14 million.
- A block is a layout block, as everywhere in this package. The DOM path has its tags
  without attributes, and of inline tags those from the beginning of the block on.
- Preformatted text is one segment: the tags in it are those of a highlighter, and
  its words recur in other authors' code.
- A page that comes again counts once, as long as the table remembers it. Otherwise a
  crawl that is repeated five times would take every article for template.
"""
