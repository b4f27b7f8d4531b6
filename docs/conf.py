"""How Sphinx builds these pages: ``python -m sphinx -W docs docs/_build``."""

import scrapy_webstemmer

project = "scrapy-webstemmer"
author = "The scrapy-webstemmer authors"
copyright = "2026, The scrapy-webstemmer authors"  # noqa: A001 (the name is Sphinx's)
release = version = scrapy_webstemmer.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "scrapy-webstemmer"

myst_heading_anchors = 3  # so that links to #a-heading work as they do on a repository's web page

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
