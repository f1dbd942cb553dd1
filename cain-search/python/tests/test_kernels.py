"""Compiling, proving and simulating filters."""

import copy
import os
import pathlib
import pickle
import signal
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import cain_fpsp
from cain_fpsp import CainError, _kernels

GAUSS = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]
#: A search that takes much longer than a test may.
ENDLESS = dict(kernels={"B": np.arange(1, 26).reshape(5, 5) ** 2 % 17}, scale="1/256", nodes=10**12, patience="any")


def convolved(image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """The pixels whose surroundings lie within the image."""
    height, width = kernel.shape
    rows, columns = image.shape[0] - height + 1, image.shape[1] - width + 1
    parts = [kernel[y, x] * image[y : y + rows, x : x + columns] for y in range(height) for x in range(width)]
    return sum(parts)


@pytest.fixture(scope="module")
def gauss() -> cain_fpsp.Program:
    return cain_fpsp.compile(GAUSS, scale="1/16", name="gauss")


def test_what_is_told(gauss: cain_fpsp.Program) -> None:
    assert (gauss.name, gauss.kind, gauss.words, gauss.proved) == ("gauss", "filter", 7, True)
    assert (gauss.inputs, gauss.outputs, gauss.peak_gain) == (["A"], ["A"], "1")
    assert gauss.report["isa"] == "native" and gauss.report["words"] == 7
    assert gauss.accuracy["A"].rms == gauss.report["rms"] > 0
    assert gauss.microseconds == pytest.approx(7 * 0.19)
    assert gauss.listing.count(";") == 7
    assert repr(gauss) == "<filter gauss: 7 control words>"


def test_the_ideal_array_computes_the_kernel(gauss: cain_fpsp.Program) -> None:
    random = np.random.default_rng(1)
    for image in (random.integers(-100, 100, (9, 12)), random.uniform(-100, 100, (3, 8, 8)).astype(np.float32)):
        found = gauss(image)
        assert found.shape == image.shape and found.dtype == np.float32
        for one, of in zip(image.reshape(-1, *image.shape[-2:]), found.reshape(-1, *image.shape[-2:])):
            np.testing.assert_allclose(of[1:-1, 1:-1], convolved(one, np.array(GAUSS) / 16), atol=1e-4)


def test_dies_differ_and_seeds_repeat(gauss: cain_fpsp.Program) -> None:
    image = np.full((16, 16), 50.0, np.float32)
    first, again, other = (gauss.simulate(image, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert 0 < np.abs(first - other).max() < 20
    noisy = gauss.simulate(image, seed=1, read_out=True)
    assert 0.1 < np.std((noisy - first)[2:-2, 2:-2]) < 2
    assert gauss.errors().fixed_offset > 0 == gauss.errors("ideal").fixed_offset


def test_predictions_are_those_of_the_simulator(gauss: cain_fpsp.Program) -> None:
    """A smooth picture of a typical range, on several dies."""
    y, x = np.mgrid[0:64, 0:64]
    image = (40 * np.sin(x / 7) + 40 * np.cos(y / 9)).astype(np.float32)
    errors = [gauss.simulate(image, seed=seed) - gauss(image) for seed in range(4)]
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(gauss.accuracy["A"].rms, rel=0.5)


def test_inputs_and_outputs_by_name() -> None:
    both = cain_fpsp.compile(
        {"A": {"A": [[1]], "B": [[0, 0, -1]]}, "B": {"A": [[1]], "B": [[1]]}}, inputs=["A", "B"], scale=Fraction(1, 2)
    )
    random = np.random.default_rng(2)
    images = {"A": random.uniform(-60, 60, (6, 7)), "B": random.uniform(-60, 60, (6, 7))}
    found = both(images)
    np.testing.assert_allclose(found["B"], (images["A"] + images["B"]) / 2, atol=1e-4)
    np.testing.assert_allclose(found["A"][:, :-1], (images["A"][:, :-1] - images["B"][:, 1:]) / 2, atol=1e-4)


def test_weights_of_every_type() -> None:
    weights = [[0.25, Fraction(1, 4), "1/4", np.float32(0.25), 0]]
    as_texts = cain_fpsp.compile({"B": [["1/4"] * 4 + [0]]})
    assert cain_fpsp.compile({"B": weights}).listing == as_texts.listing
    assert cain_fpsp.compile({"B": np.array([[1, 1, 1, 1, 0]]) / 4}).listing == as_texts.listing


def test_options_are_those_of_kernel_files() -> None:
    sobel = cain_fpsp.compile(
        {"B": [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]}, keep=["A"], scratch=["C", "D"], isa="macro", objective="icws", nodes=2000
    )
    assert sobel.report["isa"] == "macro" and sobel.report["macros"] is not None
    assert cain_fpsp.compile({"B": [[0.11, 0.52, 0.13]]}, approximate={"depth": 4, "error": 0.1}).report["approximated"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(kernels=[[1, 2], [3]]), "row"),
        (dict(kernels=GAUSS, isa="nativ"), "unknown instruction set `nativ`; did you mean `native`?"),
        (dict(kernels=GAUSS, node=3), "`node`"),
        (dict(kernels=[[float("nan")]]), "nan is not a number"),
        (dict(kernels=[["x"]]), "x"),
        (dict(kernels=[[object()]]), "not object"),
        (dict(kernels={"Q": [[1]]}), "`Q`"),
        (dict(kernels=GAUSS, name="two words"), "two words"),
        (dict(kernels={"B": GAUSS}, keep=["A"], scratch=[], max_words=3), "the shortest program found has"),
    ],
)
def test_mistakes_have_the_messages_of_kernel_files(arguments: dict, message: str) -> None:
    with pytest.raises(CainError) as caught:
        cain_fpsp.compile(**arguments)
    assert message in str(caught.value)
    # What was generated is nothing that the user could look at.
    assert not str(caught.value)[0].isdigit()


def test_pictures_that_do_not_fit(gauss: cain_fpsp.Program) -> None:
    for image, message in [(np.zeros(5), "(5,)"), (np.zeros((0, 3)), "no pixels"), ({"B": np.zeros((3, 3))}, "`A`")]:
        with pytest.raises(CainError, match=".*") as caught:
            gauss(image)
        assert message in str(caught.value)
    with pytest.raises(CainError, match="there is no error model `measurd`; there are `ideal`"):
        gauss.simulate(np.zeros((3, 3)), model="measurd")
    assert gauss(np.zeros((0, 3, 3))).shape == (0, 3, 3)


def test_proofs_of_given_programs(gauss: cain_fpsp.Program) -> None:
    again = cain_fpsp.verify(gauss.listing, GAUSS, scale="1/16")
    assert again.words == 7 and "nodes" not in again.report
    with pytest.raises(CainError, match=r"listing:1:1"):
        cain_fpsp.verify("frobnicate(A);", GAUSS)
    with pytest.raises(CainError, match="A"):
        cain_fpsp.verify(gauss.listing, GAUSS, scale="1/8")
    assert cain_fpsp.verify("mov(B,A);", {"B": [[1]]}, keep=None).report["macros"] == 1
    weights, rounding = [[0.11, 0.52, 0.13]], {"depth": 4, "error": 0.1}
    rounded = cain_fpsp.compile(weights, approximate=rounding, nodes=500)
    assert cain_fpsp.verify(rounded.listing, weights, approximate=rounding).words == rounded.words


def test_files(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "kernels.toml"
    file.write_text('[one]\ninputs = ["A"]\noutputs.A.kernel = [[0, "1/2", "1/2"]]\n\n[two]\ninputs = ["A"]\noutputs.B.kernel = [[1]]\n')
    programs = cain_fpsp.load(file)
    assert list(programs) == ["one", "two"] and all(isinstance(one, cain_fpsp.Program) for one in programs.values())
    assert list(cain_fpsp.load(str(file), ["two"])) == list(cain_fpsp.load(file, iter(["two"]))) == ["two"]
    assert cain_fpsp.loads(file.read_text())["one"].listing == programs["one"].listing
    with pytest.raises(CainError, match="there is nothing named `three`; there are `one`, `two`"):
        cain_fpsp.load(file, ["three"])
    file.write_text('[one]\ninputs = ["A"]\noutput.A.kernel = [[1]]\n')
    with pytest.raises(CainError, match=r"kernels.toml:3:1: .*`output`"):
        cain_fpsp.load(file)
    with pytest.raises(CainError, match="\n3:1: .*`output`"):
        cain_fpsp.loads(file.read_text())
    with pytest.raises(CainError, match="nowhere.toml: cannot be read"):
        cain_fpsp.load(tmp_path / "nowhere.toml")


def test_progress_and_its_exceptions() -> None:
    told = []

    def progress(nodes: int, best: object) -> None:
        told.append((nodes, best))
        if len(told) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cain_fpsp.compile(progress=progress, **ENDLESS)
    assert len(told) == 3 and told[0][0] < told[2][0]


def test_signals_end_a_search_and_leave_the_process_usable(gauss: cain_fpsp.Program) -> None:
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cain_fpsp.compile(**ENDLESS)
    assert time.monotonic() - begin < 20
    assert cain_fpsp.compile(GAUSS, scale="1/16", name="gauss").listing == gauss.listing


def test_other_threads_run_while_it_searches() -> None:
    count = 0
    done = threading.Event()

    def work() -> None:
        nonlocal count
        while not done.wait(0.01):
            count += 1

    thread = threading.Thread(target=work)
    thread.start()
    ticks = []
    try:
        with pytest.raises(StopIteration):
            cain_fpsp.compile(progress=lambda *_: ticks.append(count) or (len(ticks) > 3 and next(iter(()))), **ENDLESS)
    finally:
        done.set()
        thread.join()
    assert ticks[-1] > ticks[0]


def test_scales_multiply() -> None:
    image = np.full((5, 5), 16.0)
    term = {"input": "A", "kernel": [[1]], "scale": "1/2"}
    assert cain_fpsp.compile({"B": term}, scale="1/4", nodes=200)(image)[2, 2] == 2
    both = cain_fpsp.compile({"B": [term, {"input": "A", "kernel": [[0, 0, 1]]}]}, scale=0.25, nodes=200)
    assert both(image)[2, 2] == 6
    with pytest.raises(CainError, match="'half' is no scale"):
        cain_fpsp.compile({"B": {**term, "scale": "half"}}, scale="1/4")


def test_origins() -> None:
    image = np.arange(25.0).reshape(5, 5)
    found = cain_fpsp.compile({"B": [[1, 0]]}, origin=[0, 0], nodes=200)(image)
    np.testing.assert_array_equal(found, image)


def test_what_saturates_is_a_warning_however_it_is_given(tmp_path: pathlib.Path) -> None:
    text = '[double]\ninputs = ["A"]\noutputs.A.kernel = [[2]]\n'
    (tmp_path / "double.toml").write_text(text)
    doubled = cain_fpsp.compile([[2]], max_gain="any", nodes=200).listing
    for make in (
        lambda: cain_fpsp.compile([[2]], nodes=200),
        lambda: cain_fpsp.verify(doubled, [[2]]),
        lambda: cain_fpsp.loads(text),
        lambda: cain_fpsp.load(tmp_path / "double.toml"),
    ):
        with pytest.warns(UserWarning, match='saturate: .*`(search.max_gain = |max_gain=)"any"`') as told:
            make()
        assert len(told) == 1 and all(one.filename == __file__ for one in told)


def test_two_programs_of_one_name(tmp_path: pathlib.Path) -> None:
    kernel = "fn same(A) -> B = [[1]]; fn {0}(A) -> B = [[1]];"
    for name in ("one", "two"):
        (tmp_path / f"{name}.rs").write_text(f"scamp_kernels! {{ {kernel.format(name)} }}")
    for names in (None, ["same"]):
        with pytest.raises(CainError, match=r"two programs named `same`, at .*one.rs:1:\d+ and .*two.rs:1:\d+; load"):
            cain_fpsp.load(tmp_path, names)
    assert list(cain_fpsp.load(tmp_path, ["two", "one"])) == ["two", "one"]
    with pytest.raises(CainError, match=r"`names` is the text 'two'; expected a list: \['two'\]"):
        cain_fpsp.load(tmp_path, "two")


def test_folders_without_sources(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kernels.toml").write_text('[f]\ninputs = ["A"]\noutputs.B.kernel = [[1]]\n')
    with pytest.raises(CainError, match="the Rust sources of this folder and the kernel files that they name"):
        cain_fpsp.load(tmp_path)


def test_arguments_of_a_wrong_type_or_size(gauss: cain_fpsp.Program) -> None:
    image = np.zeros((3, 3))
    text = '[f]\ninputs = ["A"]\noutputs.B.kernel = [[1]]\n'
    for call, message in [
        (lambda: gauss.simulate(image, seed=-1), "`seed` is -1; expected a whole number from 0"),
        (lambda: gauss.simulate(image, seed=2**64), "`seed` is 18446744073709551616"),
        (lambda: gauss.simulate(image, seed=0.5), "`seed` is 0.5"),
        (lambda: gauss.simulate(image, model=None), "`model` is of the type `NoneType`; expected a text"),
        (lambda: gauss("picture"), "expected whole or real numbers"),
        (lambda: gauss(np.zeros((3, 3), "M8[s]")), "expected whole or real numbers"),
        (lambda: gauss(np.ma.array(image, mask=True)), "some values are masked"),
        (lambda: cain_fpsp.loads(text, nodes=-1), "`nodes` is -1; expected a whole number from 1"),
        (lambda: cain_fpsp.loads(text, nodes=0), "`nodes` is 0; expected a whole number from 1"),
        (lambda: cain_fpsp.loads(None), "`text` is of the type `NoneType`"),
        (lambda: cain_fpsp.load(5), "a path of the type `int`"),
        (lambda: cain_fpsp.compile(5), "a kernel of the type `int`; expected rows of weights"),
        (lambda: cain_fpsp.compile(None), "a kernel of the type `NoneType`"),
        (lambda: cain_fpsp.compile("[[1]]"), "a kernel of the type `str`"),
        (lambda: cain_fpsp.compile(np.ma.array([[1, 2, 1]], mask=[[0, 1, 0]])), "some weights are masked"),
        (lambda: cain_fpsp.compile([[1]], name=None), "`name` is of the type `NoneType`"),
        (lambda: cain_fpsp.compile(np.ones((1, 1, 3, 3))), r"a kernel of the shape \(1, 1, 3, 3\); expected rows and columns"),
        (lambda: cain_fpsp.compile([[1]], progress=3), "`progress` is of the type `int`; expected a function"),
        (lambda: cain_fpsp.loads(text, names=5), "`names` is of the type `int`; expected a list of texts"),
        (lambda: gauss.errors(None), "`model` is of the type `NoneType`"),
    ]:
        with pytest.raises(CainError, match=message):
            call()


def test_images_that_registers_do_not_hold(gauss: cain_fpsp.Program) -> None:
    with pytest.warns(UserWarning, match="images from 0 to 255 DN, but a register of the chip holds -128 to 127 DN") as told:
        gauss(np.array([[0, 255]], np.uint8))
    assert told[0].filename == __file__


def test_arrays_of_every_layout(gauss: cain_fpsp.Program) -> None:
    image = np.arange(25, dtype=np.float32).reshape(5, 5)
    unaligned = np.zeros(101, np.uint8)[1:].view(np.float32).reshape(5, 5)
    unaligned[...] = image
    for other in (unaligned, np.asfortranarray(image), image.astype(">f4"), image[::-1][::-1]):
        np.testing.assert_array_equal(gauss(other), gauss(image))


def test_kernels_of_other_types() -> None:
    class Tensor:
        """As those of PyTorch: its rows are no lists, and NumPy takes it only once it is detached."""

        def __init__(self, numbers: np.ndarray, is_detached: bool = False) -> None:
            self.numbers, self.is_detached = numbers, is_detached

        def detach(self) -> "Tensor":
            return Tensor(self.numbers, True)

        def cpu(self) -> "Tensor":
            return self

        def __array__(self, *_: object, **__: object) -> np.ndarray:
            assert self.is_detached
            return self.numbers

    wanted = cain_fpsp.compile([["1/4", "1/2", "1/4"]], nodes=200).listing
    for kernel in (Tensor(np.array([[1, 2, 1]])), np.array([[1, 2, 1]], np.uint8)):
        assert cain_fpsp.compile(kernel, scale="1/4", nodes=200).listing == wanted
        assert cain_fpsp.compile({"A": kernel}, scale="1/4", nodes=200).listing == wanted
    # Numbers are those that NumPy shows.
    assert _kernels._value(np.array([[0.1, 0.25]], np.float32)) == "[[0.1, 0.25]]"
    ranges = [(-60, 60), np.array([-60.0, 60.0]), "-60..60"]
    predicted = [cain_fpsp.compile(kernel, scale="1/4", input=range_, nodes=200).accuracy for range_ in ranges]
    assert predicted[0] == predicted[1] == predicted[2] != cain_fpsp.compile(kernel, scale="1/4", nodes=200).accuracy


def test_reports_belong_to_who_asks(gauss: cain_fpsp.Program) -> None:
    gauss.report["accuracy"]["A"]["rms"] = 0
    assert gauss.accuracy["A"].rms > 0


def test_copies_and_pickles(gauss: cain_fpsp.Program, tmp_path: pathlib.Path) -> None:
    assert copy.deepcopy(gauss).listing == copy.copy(gauss).listing == gauss.listing
    verified = cain_fpsp.verify("bus(NEWS,A); bus(B,XE);", {"B": [[0, 0, 1]]}, keep=["A"])
    rounded = cain_fpsp.compile([[0.11, 0.52, 0.13]], approximate={"depth": 4, "error": 0.1}, nodes=500)
    macros = cain_fpsp.compile([[1, 2, 1]], scale="1/4", isa="macro", nodes=500)
    image = np.arange(25.0).reshape(5, 5)
    for program in (gauss, verified, rounded, macros):
        again = pickle.loads(pickle.dumps(program))
        assert (again.listing, again.report, again.name) == (program.listing, program.report, program.name)
        np.testing.assert_array_equal(again.simulate(image, seed=3), program.simulate(image, seed=3))
    (tmp_path / "f.toml").write_text('[f]\ninputs = ["A"]\noutputs.B.kernel = [[1]]\n')
    with pytest.raises(TypeError, match="cannot pickle the filter `f`; pickle the path or the text"):
        pickle.dumps(cain_fpsp.load(tmp_path / "f.toml")["f"])


def test_floats_that_stand_for_fractions() -> None:
    meant = '0.1111111111111111 is the float that is nearest to 1/9: write whole weights and `scale="1/9"`'
    with pytest.raises(CainError, match=meant):
        cain_fpsp.compile(np.ones((3, 3)) / 9)
    with pytest.raises(CainError, match='nearest to 1/6: .*`scale="1/12"`'):
        cain_fpsp.compile({"B": [[1 / 6, 1 / 4, 1 / 4]]})
    with pytest.raises(CainError) as told:
        cain_fpsp.compile([[1 / 9, 2**0.5 / 9]])
    assert "nearest to 1/9" not in str(told.value)
