from collections.abc import Collection, Sequence
from typing import TypeAlias

from ..values import Block, Column, Image, Step
from .addresses import Address
from .scan import Scan

Columns: TypeAlias = tuple[
    tuple[Step, ...],
    Column,
    Column,
    Column,
    tuple[Block, ...],
    Sequence[int],
    Sequence[tuple[int, int]],
    list[Image],
    dict[str, None],
    dict[int, str],
]

def forget() -> None: ...
def layout_of(scan: Scan, address: Address, hidden: Collection[int], shown: Collection[int]) -> Columns: ...
