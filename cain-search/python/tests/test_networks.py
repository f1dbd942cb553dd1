"""Networks: compiled, evaluated, imported."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import cain_fpsp
from cain_fpsp import CainError

#: Where bits are counted in halves, and by which half has more of them.
NETWORK = """
[network.sides]
input = { size = [8, 8], levels = "-60..60", binarise = 128 }
search = { nodes = 200 }

[[network.sides.layer]]
name = "bright"
op = "threshold"
at = 0

[[network.sides.layer]]
name = "counts"
op = "windows"
windows = [[0, 0, 8, 4], [0, 4, 8, 4]]

[[network.sides.layer]]
name = "more"
op = "argmax"
"""


@pytest.fixture(scope="module")
def sides() -> cain_fpsp.Network:
    network = cain_fpsp.loads(NETWORK)["sides"]
    assert isinstance(network, cain_fpsp.Network)
    return network


def pictures(count: int) -> np.ndarray:
    random = np.random.default_rng(3)
    bright = random.integers(0, 256, (count, 8, 8), dtype=np.uint8)
    bright[:, :, 4:] //= random.integers(1, 4, (count, 1, 1), dtype=np.uint8)
    return bright


def test_what_is_told(sides: cain_fpsp.Network) -> None:
    assert (sides.kind, sides.size, sides.proved) == ("network", (8, 8), True)
    assert sides.words == sum(part["words"] for part in sides.report["parts"]) > 0
    assert "the picture is in" in sides.listing


def test_classes_and_heads(sides: cain_fpsp.Network) -> None:
    images = pictures(40)
    counts = np.stack([(images[:, :, :4] >= 128).sum((1, 2)), (images[:, :, 4:] >= 128).sum((1, 2))], 1)
    wanted = counts.argmax(1)
    told = []
    for model in ("ideal", "measured"):
        found = sides.evaluate(images, wanted, model=model, seed=1, progress=lambda *now: told.append(now))
        np.testing.assert_array_equal(found.classes, wanted)
        np.testing.assert_array_equal(found.float_classes, wanted)
        assert (found.correct, found.accuracy, found.agreement, found.exact.all()) == (40, 1.0, 1.0, True)
    assert told[-1] == (40, 40)
    np.testing.assert_array_equal(sides(images)["more"], wanted[:, None])
    assert sides.evaluate(images[0]).classes.shape == (1,)
    assert len(sides.evaluate(images[:0]).classes) == 0


def test_traces(sides: cain_fpsp.Network) -> None:
    images = pictures(5)
    layers = sides.trace(images, seed=1)
    assert list(layers) == ["bright", "counts", "more"]
    bright = layers["bright"]
    np.testing.assert_array_equal(bright.float, images[:, None] >= 128)
    np.testing.assert_array_equal(bright.ideal, bright.float)
    assert bright.errors is not None and bright.errors.shape == (5, 1, 8, 8)
    assert layers["counts"].float.shape == (5, 2)


def test_pictures_and_labels_that_do_not_fit(sides: cain_fpsp.Network) -> None:
    with pytest.raises(CainError, match="`sides` looks at 8×8 pixels"):
        sides.evaluate(np.zeros((3, 8, 9), np.uint8))
    with pytest.raises(CainError, match="from 0 to 255"):
        sides.evaluate(np.full((8, 8), 0.5))
    with pytest.raises(CainError, match="2 labels for 3 pictures"):
        sides.evaluate(pictures(3), [0, 1])
    with pytest.raises(CainError, match="there are no labels"):
        sides.evaluate(pictures(3)).accuracy
    np.testing.assert_array_equal(sides.evaluate(pictures(3).astype(float)).classes, sides.evaluate(pictures(3)).classes)
    with pytest.raises(CainError, match="there is no error model"):
        sides.evaluate(pictures(3), model="none")


def test_a_file_with_one_network(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "sides.toml"
    file.write_text(NETWORK)
    images = pictures(5)
    assert cain_fpsp.evaluate(file, images).exact.all()
    file.write_text("[one]\ninputs = ['A']\noutputs.B.kernel = [[1]]\n")
    with pytest.raises(CainError, match="the file has no network"):
        cain_fpsp.evaluate(file, images)


def test_other_kinds_are_compiled() -> None:
    text = """
[median]
inputs = ["A"]
bits = 1
outputs.B = "maj(A, A@east, A@west)"
search = { isa = "digital", nodes = 500 }
"""
    median = cain_fpsp.loads(text)["median"]
    assert type(median) is cain_fpsp.Other and median.words > 0 and median.proved


def test_networks_end_at_signals() -> None:
    """In a process of its own, whose searches would take minutes."""
    program = f"""
import os, signal, threading, time
import cain_fpsp
kernels = str([[[(7 * a * b + 3 * a + b) % 5 - 2 for a in range(5)] for b in range(5)] for _ in range(8)])
text = '''[network.long]
input = {{ size = [28, 28], levels = "-60..60" }}
search = {{ nodes = 100_000_000 }}
[[network.long.layer]]
name = "maps"
op = "convolution"
scale = "1/64"
kernels = ''' + kernels + '''
[[network.long.layer]]
name = "counts"
op = "windows"
size = 12
'''
threading.Timer(1.5, os.kill, [os.getpid(), signal.SIGINT]).start()
try:
    cain_fpsp.loads(text, nodes=100_000_000)
    print("done")
except KeyboardInterrupt:
    print("ended", cain_fpsp.compile([["1/2", "1/2", 0]]).words > 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "ended True\n", done


def test_the_command_is_there() -> None:
    done = subprocess.run([sys.executable, "-m", "cain_fpsp", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("cain ")
    refused = subprocess.run([sys.executable, "-m", "cain_fpsp", "compile", "nowhere.toml"], capture_output=True, text=True)
    assert refused.returncode == 1 and "nowhere.toml: cannot be read" in refused.stderr


def test_models_that_cannot_be_imported(tmp_path: pathlib.Path) -> None:
    model = tmp_path / "model.onnx"
    with pytest.raises(CainError, match="model.onnx: cannot be read"):
        cain_fpsp.import_onnx(model, levels=(-60, 60))
    model.write_bytes(b"nothing")
    with pytest.raises(CainError):
        cain_fpsp.import_onnx(model, levels=(-60, 60))
    with pytest.raises(CainError, match="unexpected argument '--level'"):
        cain_fpsp.import_onnx(model, level=(-60, 60))
    assert not list(tmp_path.glob("*.toml"))
