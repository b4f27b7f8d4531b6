"""What a release is made with agrees: workflows, nox, the settings of cibuildwheel, classifiers and docs."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")


def jobs(path: Path) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps of all jobs of a workflow."""
    return [step for job in jobs(path).values() for step in job["steps"]]


def pythons() -> list[str]:
    """Return the versions of Python that the classifiers name."""
    return re.findall(r":: Python :: (3\.\d+)$", SETUP["metadata"]["classifiers"], re.MULTILINE)


def sessions() -> dict[str, ast.FunctionDef]:
    """Return the sessions of the noxfile by name."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    return {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_have_exact_versions(path: Path) -> None:
    """Each action of a workflow is named with all three numbers of its version."""
    named = [step["uses"] for step in steps(path) if "uses" in step]
    assert named
    assert [name for name in named if not re.fullmatch(r"[\w./-]+@v\d+\.\d+\.\d+", name)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_what_is_there(path: Path) -> None:
    """The scripts that a workflow runs exist, and so do its sessions of nox."""
    commands = "\n".join(step.get("run", "") for step in steps(path))
    assert [name for name in re.findall(r"bash (\S+)", commands) if not (ROOT / name).is_file()] == []
    matrices = [job.get("strategy", {}).get("matrix", {}) for job in jobs(path).values()]
    assert {name for one in matrices for name in one.get("session", ())} <= {*sessions()}


def test_only_the_last_job_may_publish() -> None:
    """Nothing but the job that publishes has the right to, after all others, and for a tag alone."""
    release = jobs(ROOT / ".github" / "workflows" / "release.yml")
    assert [name for name, job in release.items() if "id-token" in job.get("permissions", {})] == ["publish"]
    assert {*release["publish"]["needs"]} == {*release} - {"publish"}
    assert release["publish"]["if"] == "github.ref_type == 'tag'"


def test_the_versions_of_python_agree() -> None:
    """Classifiers, tests of the workflow, nox and cibuildwheel name the same versions of Python."""
    tests = jobs(ROOT / ".github" / "workflows" / "ci.yml")["tests"]["strategy"]["matrix"]["python"]
    (decorator,) = sessions()["tests"].decorator_list
    assert isinstance(decorator, ast.Call)
    (nox,) = [ast.literal_eval(one.value) for one in decorator.keywords if one.arg == "python"]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    built = re.findall(r"cp3(\d+)-", settings["tool"]["cibuildwheel"]["build"])
    assert pythons() == tests == nox == [f"3.{minor}" for minor in built]
    assert SETUP["options"]["python_requires"] == f">={pythons()[0]}"


def test_the_page_about_versions_has_the_oldest_ones() -> None:
    """The table of versions names those with which setup.cfg begins."""
    text = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+?) (?:\(.*\) )?\| ([\d., ]+) \| ", text, re.MULTILINE)
    told = {
        name.lower(): version
        for names, versions in rows
        for name, version in zip(names.split(", "), versions.split(", "), strict=True)
    }
    claims = "\n".join([SETUP["options"]["install_requires"], *SETUP["options.extras_require"].values()])
    known = dict(re.findall(r"^([\w-]+)(?:\[\w+\])? >= ([\d.]+)", claims, re.MULTILINE))
    assert told.pop("python") == pythons()[0]
    assert len(told) > 8
    assert {name: known.get(name) for name in told} == told
