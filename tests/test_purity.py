"""The core can be used without Scrapy."""

import subprocess
import sys


def test_the_core_does_not_import_scrapy() -> None:
    """A fresh interpreter imports the package and its rooms, and then has not imported Scrapy."""
    program = (
        "import pkgutil, importlib, sys, scrapy_webstemmer as root\n"
        "rooms = 'base html site verdict classic patterns segments article trees storage'.split()\n"
        "for room in rooms:\n"
        "    package = importlib.import_module('scrapy_webstemmer.' + room)\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
        "print('scrapy' in sys.modules, 'scrapy_webstemmer.storage.warc' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
