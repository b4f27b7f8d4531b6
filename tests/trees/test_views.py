from __future__ import annotations

import base64
import hashlib
import json
import re

from layout_trees import parsed, tree_of

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.review.tree_pages import cluster_page, mapping_page, tree_page
from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.tree_mappings import map_fine
from scrapy_webstemmer.trees.tree_selection import Selection

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=y>&lt;\u2028"


def test_a_hostile_mapping_is_text() -> None:
    """Names, texts and urls of strangers are shown as they are; no element of theirs is in the page."""
    page = parsed(f"<p id='\"><script>x</script>'>{HOSTILE}</p>", Selection.read("all"), attributes=True)
    text = tree_of(["body", HOSTILE])
    for tree in (page, text):
        root = parse_text(mapping_page(map_fine(tree, tree), [HOSTILE, HOSTILE]))
        assert root.xpath("//script | //img | //iframe") == []
        assert not [name for one in root.iter() for name in one.attrib if name.startswith("on")]
        assert root.xpath("string(//h2)") == HOSTILE


def test_a_hostile_tree_has_its_policy_first() -> None:
    """A tree of a stranger's page has a head of ours before it, with a policy that forbids all scripts."""
    tree = parsed(f"<body onload=x><p>{HOSTILE}</p>", Selection.read("all"), attributes=True)
    page = tree_page(tree, HOSTILE)
    root = parse_text(page)
    assert root.xpath("//meta/@charset") == ["utf-8"]
    assert "script-src" not in root.xpath("//meta/@content")[0]
    assert root.xpath("//title")[0].text == HOSTILE
    assert root.xpath("//script | //iframe | //@onload") == []
    assert page.index("Content-Security-Policy") < page.index("<title>") < page.index("<body>")


def test_the_depth_of_deep_nodes_is_a_number() -> None:
    """From some depth on, nodes are not indented any more, and their depth stands before them."""
    size = 23
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    root = parse_text(mapping_page(map_fine(deep, deep), ["a", "b"]))
    lines = root.xpath("//section[1]//li")
    assert [line.get("class") for line in lines[-3:]] == ["common d20"] * 3
    assert [line.text_content() for line in lines[-3:]] == ["div", "21 div", "22 div"]


def test_hostile_clusters_are_data() -> None:
    """Urls of strangers stand in the data only, and cannot end it."""
    root = parse_text(cluster_page([HOSTILE, "b"], [(0.5, 0, 1)], 0.6, 0.25))
    scripts = root.xpath("//script")
    assert len(scripts) == 2
    assert json.loads(scripts[0].text) == {"pages": [HOSTILE, "b"], "pairs": [[0.5, 0, 1]]}
    assert root.xpath("//img") == []


def test_only_the_script_of_ours_may_run() -> None:
    """The policy of a page has the digest of its script, or allows none."""
    page = cluster_page(["a"], [], 0.6, 0.25)
    script = re.findall("<script>(.*?)</script>", page, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'sha256-" in page
    tree = tree_of(["body"])
    assert "script" not in mapping_page(map_fine(tree, tree), ["a", "b"])


def test_deep_trees() -> None:
    """Depth is no matter for the stack."""
    size = 1_500
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    assert mapping_page(map_fine(deep, deep), ["a", "b"]).count("<bdi>div</bdi>") == 2 * size
