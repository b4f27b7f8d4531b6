"""RoadRunner (2001): the union-free expression that pages have in common, as a method beside path layouts."""
