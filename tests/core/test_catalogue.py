"""Catalogues: complete, read back what other rooms say, and drawn by a font that is there."""

import importlib.util
import re
from pathlib import Path

import pytest

from workbench.core.catalogue import GAP, OWN_PLACES, Catalogue, read_entries

ROOT = Path(__file__).resolve().parents[2]  # where the sources are, also when an installed package is tested
FILES = sorted((ROOT / "resources" / "i18n").glob("*.ts"))
EXTRACT = ROOT / "resources" / "i18n" / "extract.py"


@pytest.fixture(scope="module")
def extract():
    spec = importlib.util.spec_from_file_location("extract", EXTRACT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_string_is_translated_and_none_is_left_over(extract, file) -> None:
    entries, todo = extract.updated(file)
    assert todo == [], "python resources/i18n/extract.py, then translate what is unfinished"
    assert len(entries) > 1000


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_translations_keep_gaps_keys_and_the_shape_of_the_text(file) -> None:
    for (source, _), (text, _, _) in read_entries(file).items():
        named = re.compile(r"\{\w*(?::[^}]*)?\}")
        assert set(named.findall(text)) <= set(named.findall(source)), source
        # A key for Alt, lines, and blanks at the ends are part of how a text is put together.
        assert ("&" in text) == ("&" in source), source
        assert text.count("\n") == source.count("\n"), source
        assert not text.startswith(" ") or source.startswith(" "), source


def small() -> Catalogue:
    patterns = {
        "close to FP32 ({0})": "接近 FP32（{0}）", "mean cosine {0}": "平均余弦 {0}",
        ", same top-1 class in {0}": "，top-1 一致率 {0}", "one of ": "可选：", "quiet": "平稳",
        "the warm-up did not settle": "预热未稳定", "; worst run {0}× the median": "；最慢 {0}×中位数",
        "It must be {0}.": "应为{0}。", "{0} to {1}": "{0} 至 {1}", "There is no file {0}.": "没有文件 {0}。",
        "Name a file.": "请给出文件。", "Only {0} sample{1}: take more.": "只有 {0} 个样本：请增加。",
        "the last third is {0} {1}": "最后三分之一{1}了 {0}", "slower": "变慢", "noisy: {0} times": "有噪声：{0} 倍",
    }  # fmt: skip
    return Catalogue({("Run", "noun"): "运行", ("quiet", ""): "平稳"}, patterns)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("quiet", "平稳"),
        ("the warm-up did not settle; worst run 9× the median", "预热未稳定；最慢 9×中位数"),
        (
            "close to FP32 (mean cosine 0.98, same top-1 class in 92.0%)",
            "接近 FP32（平均余弦 0.98，top-1 一致率 92.0%）",
        ),
        ("It must be one of fp32, bf16.", "应为可选：fp32, bf16。"),
        ("There is no file my net.pt.\nName a file.", "没有文件 my net.pt。\n请给出文件。"),
        ("There is no file x.pt. Name a file.", "没有文件 x.pt。请给出文件。"),
        ("Only 1 sample: take more.", "只有 1 个样本：请增加。"),
        ("Only 2 samples: take more.", "只有 2 个样本：请增加。"),
        ("expected input to have 3 channels", "expected input to have 3 channels"),
        ("the last third is 9% slower; noisy: 2 times", "最后三分之一变慢了 9%；有噪声：2 倍"),
        ("0.5 to 15", "0.5 至 15"),
        ("a to b", "a 至 b"),
        ("", ""),
    ],
)
def test_sentences_of_other_rooms_are_read_back(text, read) -> None:
    assert small().said(text) == read


def test_own_words_by_comment() -> None:
    words = small()
    assert words.own("Run", "noun") == "运行" and words.own("Run") is None
    assert words.own("quiet", "any") == "平稳", "a comment that is not known says nothing"


def test_what_a_library_says_at_length_is_left_alone() -> None:
    text = "quiet; " * 3000
    assert small().said(text) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_pattern_is_found_in_what_it_makes(file) -> None:
    """Each sentence with numbers in its gaps comes back as its own translation, not as another one's."""
    words = Catalogue.load(file)
    for (source, _), (text, _, places) in read_entries(file).items():
        if all(place.startswith(OWN_PLACES) for place in places) or not re.search("[A-Za-z]{2}", source):
            continue
        said = GAP.sub(lambda gap: f"{int(gap.group(1) or 0) + 11}", source)
        assert words.said(said) == GAP.sub(lambda gap: f"{int(gap.group(1) or 0) + 11}", text), source


def test_extraction_sees_own_words_sentences_and_gaps(extract, tmp_path) -> None:
    import ast

    (tmp_path / "page.html.jinja").write_text('<p>{{ tr("Two words") }} {{ other("x") }} {{ tr("One", "verb") }}</p>')
    assert list(extract._template_words(tmp_path / "page.html.jinja")) == [("Two words", ""), ("One", "verb")]

    tree = ast.parse('self.tr("Run", "noun"); translate("Ctx", "Stop"); UserError(f"No {path} here.", why)')
    assert list(extract._own_words(tree)) == [("Run", "noun"), ("Stop", ""), ("No {0} here.", "")]
    tree = ast.parse(
        '"""Documentation of it."""\nx = f"{a} of {b:.2f} layers{\' and more\' if c else \'\'}"\nkey = "model"'
    )
    assert list(extract._sentences(tree)) == [("{0} of {1} layers{2}", ""), (" and more", "")]


def test_a_reworded_string_keeps_its_old_translation_as_a_proposal(extract, tmp_path, monkeypatch) -> None:
    file = tmp_path / "zh_CN.ts"
    monkeypatch.setattr(extract, "strings", lambda: {("Open the model file", ""): ["a.py"], ("New", ""): ["a.py"]})
    old = {("Open a model file", ""): ("打开模型文件", True, ["a.py"]), ("Gone", ""): ("没了", True, ["a.py"])}
    extract.write(file, old)
    entries, todo = extract.updated(file)
    assert entries["Open the model file", ""] == ("打开模型文件", False, ["a.py"])
    assert entries["New", ""][:2] == ("", False) and len(todo) == 4
    extract.write(file, entries)
    assert read_entries(file) == entries and Catalogue.load(file).own("Open the model file") is None
