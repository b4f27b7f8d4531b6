"""The page about 2009 names every option of its programs, and each option has a test that needs it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "classic.md").read_text(encoding="utf-8")

#: The options of the programs, as in their usage lines.
OPTIONS = {
    "textcrawler": "odbajimkcUDTL",
    "analyze": "dtTSmLcajP",
    "extract": "dStTMcCajP",
    "urldbutils": "vDRt",
    "html2txt": "cC",
}

CRAWL, CLASSIC = "crawl/test_textcrawler.py", "commands/test_classic_options.py"
URLDB, HTML2TXT = "commands/test_urldb.py", "commands/test_html2txt.py"
#: For each option, the test that fails if the option is ignored.
PROOFS = {
    "textcrawler": {
        "url ...": (CRAWL, "test_several_start_urls"),
        "-o": (CRAWL, "test_output_timestamp_and_linkinfo"),
        "-m": (CRAWL, "test_depth"),
        "-k": (CRAWL, "test_cookie_file"),
        "-c": (CRAWL, "test_charset"),
        "-a": (CRAWL, "test_accept_and_reject_are_tried_in_order"),
        "-j": (CRAWL, "test_accept_and_reject_are_tried_in_order"),
        "-U": (CRAWL, "test_urldb"),
        "-b": (CRAWL, "test_output_timestamp_and_linkinfo"),
        "-i": (CRAWL, "test_index"),
        "-D": (CRAWL, "test_delay"),
        "-T": (CRAWL, "test_timeout"),
        "-L": (CRAWL, "test_linkinfo_off"),
        "-d": ("crawl/test_textcrawler_command.py", "test_log_level"),
    },
    "analyze": {
        "-c": (CLASSIC, "test_analyze_c"),
        "-a": (CLASSIC, "test_analyze_a_and_j"),
        "-j": (CLASSIC, "test_analyze_a_and_j"),
        "-t": (CLASSIC, "test_analyze_t"),
        "-T": (CLASSIC, "test_analyze_title_threshold"),
        "-S": (CLASSIC, "test_analyze_score_threshold"),
        "-L": (CLASSIC, "test_analyze_linkinfo"),
        "-m": (CLASSIC, "test_analyze_m"),
        "-P": (CLASSIC, "test_analyze_and_extract_p"),
        "-d": ("commands/test_analyze.py", "test_debug_shows_the_sections_of_each_pattern"),
    },
    "extract": {
        "-C": (CLASSIC, "test_extract_output_charset"),
        "-c": (CLASSIC, "test_extract_c"),
        "-a": (CLASSIC, "test_extract_a_and_j"),
        "-j": (CLASSIC, "test_extract_a_and_j"),
        "-t": (CLASSIC, "test_extract_t"),
        "-S": (CLASSIC, "test_extract_strict"),
        "-T": (CLASSIC, "test_extract_diff_threshold"),
        "-M": (CLASSIC, "test_extract_main_threshold"),
        "-P": (CLASSIC, "test_analyze_and_extract_p"),
        "-d": (
            "commands/test_extract.py",
            "test_debug_names_the_pages_without_an_article_and_the_reason",
        ),
    },
    "urldbutils": {
        "-D": (URLDB, "test_show"),
        "-R": (URLDB, "test_prune"),
        "-t": (URLDB, "test_show_with_days"),
        "-v": (URLDB, "test_prune_names_what_it_removes"),
    },
    "html2txt": {
        "-C": (HTML2TXT, "test_charset_of_the_output"),
        "-c": (HTML2TXT, "test_charset_of_pages_that_declare_none"),
    },
}


def rows(program: str) -> list[str]:
    """Return the first cells of a program's table."""
    section = PAGE.split(f"### {program}.py\n")[1].split("\n#")[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


@pytest.mark.parametrize("program", OPTIONS)
def test_every_option_is_in_the_table(program: str) -> None:
    """The table of a program has each of its options once."""
    found = rows(program)
    assert sorted(row[1:] for row in found if row.startswith("-")) == sorted(OPTIONS[program])


@pytest.mark.parametrize("program", OPTIONS)
def test_every_option_has_a_test(program: str) -> None:
    """For each row of the table the test that is named here exists."""
    assert set(rows(program)) == set(PROOFS[program])
    for file, name in PROOFS[program].values():
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert name in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
