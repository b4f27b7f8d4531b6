"""One page: from its bytes to its layout, and what its markup states."""
