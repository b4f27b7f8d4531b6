"""The files of patterns."""
