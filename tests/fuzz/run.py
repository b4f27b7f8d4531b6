r"""Fuzzing: run inputs of all kinds that strangers write, changed or made at random.

    python tests/fuzz/run.py --inputs 100000 [--seed N] [--corpus FOLDER...] [--kind KIND...]

Prints a table and the seed, with which the same inputs come again. The exit status is 1 if an input caused
any error but one of ours, took longer than the limit or needed more memory than there is. Such an input is
kept in ``tests/fuzz/examples``, and the tests run it from then on. A watchdog ends an input that never ends,
with a traceback, and that input is kept, too. ``--only N`` runs a single input of one kind again.

The compiled modules can be built with AddressSanitizer, best in a copy of the repository, and run with inputs
that are small. A finding ends the process::

    CFLAGS="-fsanitize=address -O1 -g" python setup.py build_ext --inplace --force
    LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
        PYTHONPATH=. python tests/fuzz/run.py --sanitizer --kind markup --inputs 1000000
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mutations
from fragments import fragment
from mutations import mutated
from parts import small_page
from seeds import made_seeds
from targets import Targets, odd_page

from scrapy_webstemmer.errors import WebstemmerError

#: The share of each kind in a hundred inputs; those of single modules come on top.
SHARES = {
    "page": 30,
    "small page": 30,
    "markup": 30,
    "pattern file": 15,
    "2009 pattern file": 15,
    "linkinfo": 10,
    "zip": 10,
    "WARC": 10,
    "SQLite": 10,
    "Markdown": 30,
    "feed": 15,
    "sitemap": 15,
    "statements": 30,
    "request": 20,
}
#: What makes the inputs that are not changed seeds.
MAKERS = {"Markdown": fragment, "markup": odd_page, "small page": small_page}
#: An input hangs after so many seconds; the process may have so many bytes.
WATCHDOG, MEMORY = 120, 1536 << 20
#: The most bytes of a small input.
SMALL = 4 << 10
#: The folder of inputs that caused errors.
EXAMPLES = Path(__file__).parent / "examples"


@dataclass
class Result:
    """The results for the inputs of one kind."""

    inputs: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    peak: int = 0


@dataclass(frozen=True)
class Keeper:
    """Keeps an input on disk before it runs, until it has proved harmless.

    :param folder: the folder for inputs.
    :param seconds: processor time that a harmless input may take.
    """

    folder: Path = EXAMPLES
    seconds: float = 1.0

    def path(self, kind: str, number: int, data: bytes) -> Path:
        """Return the path of a kept input; its name has what :func:`kept` must know."""
        self.folder.mkdir(exist_ok=True)
        return self.folder / f"{kind.replace(' ', '_')}.{number}.{hashlib.sha256(data).hexdigest()[:12]}"


def kept(folder: Path, kind: str) -> list[tuple[int, bytes]]:
    """Return the inputs of a kind in a folder, with their numbers, which targets use."""
    paths = sorted(folder.glob(f"{kind.replace(' ', '_')}.*"))
    return [(int(path.name.split(".")[1]), path.read_bytes()) for path in paths]


def fuzz(
    kind: str, numbers: Sequence[int], seed: int, inputs: list[bytes], targets: Targets, keeper: Keeper
) -> Result:
    """Run inputs of one kind, and return the results."""
    result = Result()
    for number in numbers:
        data = MAKERS.get(kind, mutated)(inputs, random.Random(f"{seed} {kind} {number}"))
        path = keeper.path(kind, number, data)
        was_there = path.exists()
        path.write_bytes(data)
        faulthandler.dump_traceback_later(WATCHDOG, exit=True)
        begun = time.process_time()
        faults = len(result.faults)
        try:
            targets.by_kind[kind](data, number)
        except KeyboardInterrupt:
            path.unlink()
            raise
        except WebstemmerError as error:
            result.errors[type(error).__name__] += 1
        except Exception as error:
            result.errors[f"FAULT {type(error).__name__}"] += 1
            result.faults.append(f"{kind}, input {number}: {traceback.format_exc()}")
        result.inputs += 1
        seconds = time.process_time() - begun
        result.slowest = max(result.slowest, (seconds, number))
        if len(result.faults) == faults and seconds <= keeper.seconds and not was_there:
            path.unlink()
    faulthandler.cancel_dump_traceback_later()
    result.peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return result


def main() -> int:
    """Run what the command line asks for."""
    arguments = _arguments()
    print(f"seed {arguments.seed}", flush=True)
    if arguments.sanitizer:
        mutations.MAX_INPUT = SMALL
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    results: dict[str, Result] = {}
    with tempfile.TemporaryDirectory() as folder:
        made = made_seeds(Path(folder), arguments.corpus)
        targets = Targets(Path(folder))
        targets.compares = targets.compares and not arguments.sanitizer
        for kind in arguments.kind or SHARES:
            numbers = range(max(1, arguments.inputs * SHARES[kind] // 100))
            chosen = numbers if arguments.only is None else [arguments.only]
            keeper = Keeper(seconds=arguments.seconds)
            results[kind] = fuzz(kind, chosen, arguments.seed, made[kind], targets, keeper)
            _print_row(kind, results[kind])
    faults = [fault for result in results.values() for fault in result.faults]
    slow = [kind for kind, result in results.items() if result.slowest[0] > arguments.seconds]
    print("\n\n".join(faults[:20]), file=sys.stderr)
    return 1 if faults or slow else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Read inputs that were changed at random.")
    parser.add_argument("--inputs", type=int, default=1000, help="how many in all")
    another = random.SystemRandom().randrange(2**32)
    parser.add_argument("--seed", type=int, default=another, help="if not given, another one each time")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time that an input may take")
    parser.add_argument("--kind", action="append", choices=SHARES)
    parser.add_argument(
        "--sanitizer", action="store_true", help="small inputs, no limit of memory, compiled readings alone"
    )
    parser.add_argument("--only", type=int, help="run this input alone")
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a folder of further pages")
    return parser.parse_args()


def _print_row(kind: str, result: Result) -> None:
    errors = ", ".join(f"{name} {count:,}" for name, count in result.errors.most_common()) or "none"
    seconds, number = result.slowest
    print(
        f"| {kind} | {result.inputs:,} | {errors} | {seconds:.2f} s (input {number}) | {result.peak} MB |",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
