"""The stock of words that the demo site is written from: ``words/en.txt`` and ``words/ja.txt``."""

from __future__ import annotations

from pathlib import Path

__all__ = ["WORDS", "Words"]


class Words:
    """The sections of a file: ``[name]``, then one entry a line; lines that begin with # are comments."""

    def __init__(self, file: Path) -> None:
        self._sections: dict[str, list[str]] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                self._sections[line.strip("[]")] = entries = []
            elif line and not line.startswith("#"):
                entries.append(line)
        self.labels = self.pairs("labels")

    def __getitem__(self, name: str) -> list[str]:
        return self._sections[name]

    def pairs(self, name: str) -> dict[str, str]:
        """Return a section whose entries read ``key = text``."""
        pairs = (entry.partition(" = ") for entry in self[name])
        return {key: text for key, _, text in pairs}


#: By language.
WORDS = {language: Words(Path(__file__).parent / "words" / f"{language}.txt") for language in ("en", "ja")}
