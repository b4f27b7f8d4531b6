from collections.abc import Sequence
from typing import overload

from ..values.layouts import Block, Image, Step
from .links import Address

def text_of(body: bytes) -> bytes | None: ...

class Scan(Sequence[str]):
    source: bytes
    elements: int
    depth: int
    attributes: int

    def __init__(self, source: bytes, max_elements: int, max_depth: int, max_attributes: int) -> None: ...
    def layout(
        self, address: Address
    ) -> tuple[
        tuple[Step, ...],
        tuple[int, ...],
        tuple[int, ...],
        tuple[int, ...],
        tuple[Block, ...],
        list[int],
        list[tuple[int, int]],
        list[Image],
        set[str],
    ]: ...
    def title_text(self) -> str: ...
    def og_title(self) -> str: ...
    def stated(self, relations: set[str]) -> frozenset[str]: ...
    def links(self) -> list[tuple[str, str]]: ...
    def base_href(self) -> str | None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
