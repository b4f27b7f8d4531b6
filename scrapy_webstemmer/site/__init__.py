"""What the pages of a site have in common, and what it tells about each of them."""

from ..base import compiled as compiled  # it finds the compiled modules of this room
