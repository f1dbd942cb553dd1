"""The code of the pages: blocks with prompts print what they show, others run; those of a page share their names."""

import doctest
import pathlib
import re

import pytest

import cain_fpsp
from cain_fpsp import _api

ROOT = pathlib.Path(__file__).resolve().parents[3]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def failures(test: doctest.DocTest) -> str:
    told: list = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append, clear_globs=False)
    return "".join(told)


@pytest.mark.parametrize("page", ["docs/python.md", "cain-search/python/README.md"])
def test_pages(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / page
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert blocks
    names: dict = {}
    for block in blocks:
        code, line = block.group(1), text[: block.start(1)].count("\n")
        if "torch" in code:
            try:
                import torch  # noqa: F401
            except ImportError:
                continue
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, page, str(path), line)
            problem = failures(test)
            names = test.globs
            assert not problem, problem
        else:
            exec(compile("\n" * line + code, str(path), "exec"), names)


@pytest.mark.parametrize("module", [cain_fpsp, _api])
def test_docstrings(module: object) -> None:
    for test in doctest.DocTestFinder().find(module):
        problem = failures(test)
        assert not problem, problem
