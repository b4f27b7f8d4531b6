"""The options of learning and extraction: every threshold, named and explained.

``LearnOptions()`` and ``ExtractOptions()`` are the defaults for today's web.
``.classic()`` gives the behaviour of Webstemmer 0.7.1 (2009). An invalid value
raises :class:`~scrapy_webstemmer.errors.OptionError`.
"""
