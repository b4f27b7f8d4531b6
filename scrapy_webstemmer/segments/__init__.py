"""Detect templates incrementally: count the texts that a site repeats, page by page, with no learning phase.

Source: Y. Wang, B. Fang, X. Cheng, L. Guo, H. Xu, *Incremental Web Page Template
Detection*, WWW 2008. Each page goes through four steps, and no page is kept.

1. ``segmentation``: each layout block of the page is divided into text segments.
2. ``table``, expansion: the document frequency (DF) of each segment is raised by one.
3. ``detection``: a block is template if enough of its text has enough DF.
4. ``table``, shrinkage: segments that were not seen for too long are removed; a higher
   DF gives them more time.

Departures:

- The table holds digests of path and text, 56 bits, not the texts. Two of 100,000
  segments have the same digest with a probability of 1 in 14 million.
- A block is a layout block, as everywhere in this package. The DOM path has tags
  without attributes. Of inline tags, it has those that begin in the block.
- Preformatted text is one segment: the tags in it come from a highlighter, and
  its words recur in other authors' code.
- A page that comes again counts once, as long as the table remembers it. Otherwise a
  crawl that is repeated five times would take every article for template.
"""
