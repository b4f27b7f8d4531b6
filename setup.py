"""Build the compiled modules. Each has a twin in Python, so without a compiler the package works, too."""

import re
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

#: For compilers with options like those of gcc. Python's own are -g -O3, and the last one counts. Symbols for
#: debuggers are five sixths of a module. -O1 takes half the time of -O3, and is as fast (within 2 %): most of
#: the time goes to functions of Python's, which are compiled already. With -Os it is a fifth slower.
FLAGS = ["-g0", "-O1"]


def extension(source: Path) -> Extension:
    """Return the extension of a Cython file; a failure to build it is no error."""
    found = Extension(".".join(source.with_suffix("").parts), [source.as_posix()], optional=True)
    # Cython reads this attribute: beside the source, two builds at a time would write the same C file.
    found.cython_c_in_temp = True
    return found


class Build(build_ext):
    """Builds the modules with flags of ours."""

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
    ext_modules=[extension(source) for source in sorted(Path("scrapy_webstemmer").rglob("*.pyx"))],
)
