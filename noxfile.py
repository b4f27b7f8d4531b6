"""Check a change with nox, each session in an environment of its own. CONTRIBUTING.md has other ways.

``nox`` runs all sessions, and ``nox -s tests-3.13 -- tests/site`` some tests with one Python.
"""

import nox

nox.needs_version = ">= 2025.2"


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    session.install("-e", ".", "--group", "test")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    session.install("--group", "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("cython-lint", "scrapy_webstemmer")
    session.run("python", "tests/docs/spelling.py")


@nox.session
def types(session: nox.Session) -> None:
    session.install("-e", ".", "--group", "lint")
    session.run("mypy")
    session.run("python", "tests/docs/typed.py")


@nox.session
def docs(session: nox.Session) -> None:
    session.install("-e", ".", "--group", "docs")
    session.run("python", "-m", "sphinx", "-q", "-W", "--keep-going", "docs", session.create_tmp())


@nox.session(python=False)
def example(session: nox.Session) -> None:
    session.run("bash", "example_project/run", external=True)
