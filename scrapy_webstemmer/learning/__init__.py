"""What many pages of a site teach: the pages are read, kept, and made into patterns."""
