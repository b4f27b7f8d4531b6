"""Build the compiled reading of pages. Without a compiler the package works, too: lxml's tree is then read."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension("scrapy_webstemmer.blocks.scan", ["scrapy_webstemmer/blocks/scan.pyx"], optional=True),
    ]
)
