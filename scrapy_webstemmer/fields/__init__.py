"""The fields of an article: authors, day, topics, images, comments; and where a site's pages show them."""
