from collections.abc import Callable, Sequence

from .scan import Scan

def inline_html(
    scan: Scan,
    spans: Sequence[tuple[int, int]],
    blocks: Sequence[int],
    begin: int,
    absolute: Callable[[str], str],
    image: Callable[[int], str],
    has_room: Callable[[int], bool],
    instead: dict[int, str],
) -> list[tuple[int, str]]: ...
