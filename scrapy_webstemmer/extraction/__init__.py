"""An article, from a page and the pattern that it matches."""
