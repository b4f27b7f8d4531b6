"""Placeholder."""
from scrapy.commands import ScrapyCommand


class Command(ScrapyCommand):
    """Learn layout patterns."""

    def short_desc(self) -> str:
        return "Learn layout patterns"

    def run(self, args: object, opts: object) -> None: ...
