"""Layout trees: News Ripper (2005) and tree edit distance (2004), as methods beside path layouts."""
