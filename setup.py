"""Build the compiled modules. Without a compiler the package works, too: Python reads its files as they are.

``page/scan.pyx`` alone is no Python; without it pages are read by their trees. Nothing is compiled with the
environment variable ``SCRAPY_WEBSTEMMER_COMPILED=0``. A wheel without compiled modules is for all systems:
its name ends in ``py3-none-any``.
"""

import os
import re
from hashlib import sha256
from pathlib import Path
from threading import Lock

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

#: For compilers with options like those of gcc. Python's own are -g -O3, and the last one counts. Symbols for
#: debuggers are five sixths of a module. -O1 takes half the time of -O3, and is as fast (within 2 %): most of
#: the time goes to functions of Python's, which are compiled already. With -Os it is a fifth slower.
FLAGS = ["-g0", "-O1"]
#: Types are in files of their own; annotations are for mypy and readers.
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "initializedcheck": False}
#: Cython translates one file at a time. C compilers run beside it, each in a process of its own.
TRANSLATION = Lock()
PACKAGE = Path("scrapy_webstemmer")
#: Files of types for Cython, each beside the file of Python whose types it has.
TYPES = sorted(PACKAGE.rglob("*.pxd"))
#: What is compiled: files of Cython, and files of Python that have types. ``values.pxd`` only says how the
#: others read its tuples.
SOURCES = [
    *sorted(PACKAGE.rglob("*.pyx")),
    *(path for one in TYPES if one.parent != PACKAGE and (path := one.with_suffix(".py")).exists()),
]


def extension(source: Path) -> Extension:
    """Return the extension of a source; a failure to build it is no error."""
    return Extension(".".join(source.with_suffix("").parts), [source.as_posix()], optional=True)


def digests(source: Path) -> dict[str, str]:
    """Return the digest of each file that a module is made from, by its name within the package."""
    shared = ("values", "subtrees") if source.suffix == ".py" else ("scan", "source_text", "tag_tables")
    types = [one for one in TYPES if one.stem in (source.stem, *shared)]
    return {
        one.relative_to(PACKAGE).as_posix(): sha256(one.read_bytes()).hexdigest() for one in (source, *types)
    }


class Build(build_ext):
    """Builds the modules with flags of ours. Each knows what it is made from: see ``base/compiled.py``."""

    def finalize_options(self) -> None:
        """Let each core build modules, if nobody has said how many should."""
        super().finalize_options()
        self.parallel = self.parallel or True

    def run(self) -> None:
        """Build all modules. If none could be built, let the wheel be one for all systems."""
        super().run()
        if not self.inplace and not any(Path(name).exists() for name in self.get_outputs()):
            self.distribution.ext_modules = []
            if wheel := self.distribution.get_command_obj("bdist_wheel", create=False):
                wheel.root_is_pure = True

    def build_extension(self, ext: Extension) -> None:
        """Build a module from a copy of its source that has the digests in it."""
        (source,) = map(Path, ext.sources)
        copy = Path(self.build_temp, "sources", source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = f"{source.read_text(encoding='utf-8')}\nMADE_FROM = {digests(source)}\n"
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")
        from Cython.Build import cythonize  # only what builds modules needs it

        ext.sources = [copy.as_posix()]
        with TRANSLATION:
            # The types are beside the sources. There the C files would be those of other builds, too.
            (translated,) = cythonize(
                ext, quiet=True, include_path=["."], compiler_directives=DIRECTIVES, build_dir=self.build_temp
            )
        ext.sources = translated.sources
        super().build_extension(ext)

    def build_extensions(self) -> None:
        """Build all modules."""
        if self.compiler.compiler_type == "unix":
            for one in self.extensions:
                one.extra_compile_args = FLAGS
        super().build_extensions()


def for_an_index(readme: str) -> str:
    """Return the README without pictures and links of the checkout, which an index does not have."""
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", readme)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)


setup(
    long_description=for_an_index(Path("README.md").read_text(encoding="utf-8")),
    cmdclass={"build_ext": Build},
    ext_modules=[] if os.environ.get("SCRAPY_WEBSTEMMER_COMPILED") == "0" else [*map(extension, SOURCES)],
)
