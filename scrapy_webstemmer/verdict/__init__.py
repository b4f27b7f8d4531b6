"""Whether a page is an article."""
