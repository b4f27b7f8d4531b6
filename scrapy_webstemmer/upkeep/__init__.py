"""Keep a pattern file up to date with a learning set, in a process of its own."""
