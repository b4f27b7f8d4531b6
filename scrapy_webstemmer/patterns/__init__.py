"""Patterns: made of clusters of pages, tested, and matched with other pages."""
