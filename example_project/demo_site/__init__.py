"""A demo news site: made up, always the same, with the truth about its articles beside it.

It needs the standard library only. From the folder that holds this package:

    python -m demo_site write FOLDER --day 1    the pages (FOLDER/www) and the truth (FOLDER/truth.jsonl)
    python -m demo_site serve FOLDER            serves them on 127.0.0.1 and prints the url
    python -m demo_site write FOLDER --day 2    new articles are published
    python -m demo_site write FOLDER --day 3    the newspaper is redesigned, and publishes more
    python -m demo_site compare FOLDER/truth.jsonl ARTICLES.jsonl
"""
