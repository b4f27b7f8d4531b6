"""Pages to look at in a browser: what was learned of sites, what became of pages."""
