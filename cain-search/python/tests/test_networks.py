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
    np.savez(tmp_path / "model.npz", numbers=np.zeros(3))
    with pytest.raises(CainError, match="as `torch.save` and Keras write it; export it as ONNX, for example by `torch.onnx.export`"):
        cain_fpsp.import_onnx(tmp_path / "model.npz", levels=(-60, 60))
    with pytest.raises(CainError, match="unexpected argument 'level' found(.|\n)*'levels'"):
        cain_fpsp.import_onnx(model, level=(-60, 60))
    with pytest.raises(CainError, match="`levels` has 3 numbers; expected two"):
        cain_fpsp.import_onnx(model, levels=(-60, 0, 60))
    with pytest.raises(CainError, match="no options of an import"):
        cain_fpsp.import_onnx(model, help=True)
    assert not list(tmp_path.glob("*.toml"))


def test_messages_of_the_command_name_arguments() -> None:
    from cain_fpsp._options import in_python

    for told, wanted in [
        ("name it, for example `--range=-1..1`", "name it, for example `range=(-1, 1)`"),
        ("invalid value '9' for '--levels <LO..HI>': two", "invalid value '9' for 'levels': two"),
        ("name the kernel file with `-o`", "name the kernel file with `output`"),
        ("`--no-check` writes it", "`no_check=True` writes it"),
        ("name one with `--levels` and `--depth`", "name one with `levels` and `depth`"),
        ("`--range 0..1` and `--binarise=128`", "`range=(0, 1)` and `binarise=128`"),
        ("add `--range LO..HI` with", "add `range=(LO, HI)` with"),
        ("unexpected '--o'\n\n  tip: to pass '--o' as a value\n\nFor more information, try '--help'.", "unexpected 'o'"),
        ("a--b.onnx: 3 -- 4", "a--b.onnx: 3 -- 4"),
    ]:
        assert in_python(told) == wanted


#: A sum that is read out in part, and a rectified one.
SUMS = """
[network.sums]
input = { size = [16, 16], levels = "-60..60" }
search = { nodes = 200 }

[[network.sums.layer]]
name = "sum"
op = "convolution"
scale = "1/4"
kernels = [[[1, 2, 1]], [[-1, 2, -1]]]

[[network.sums.layer]]
name = "rectified"
op = "relu"

[[network.sums.layer]]
name = "means"
op = "windows"
size = 7
mean = true
"""


def test_traces_do_not_depend_on_the_first_pictures() -> None:
    """Pictures that are all alike do not tell what the values of registers stand for."""
    sums = cain_fpsp.loads(SUMS)["sums"]
    random = np.random.default_rng(4).integers(0, 256, (3, 16, 16), dtype=np.uint8)
    alone = sums.trace(np.full((1, 16, 16), 200, np.uint8), seed=1)
    for name in ("sum", "rectified"):
        assert np.abs(alone[name].ideal - alone[name].float)[..., 1:-1].max() < 1e-3
        assert 0.01 < np.abs(alone[name].errors).max() < 40
    assert 0.01 < np.abs(alone["means"].errors).max() < 40
    black = np.zeros((200, 16, 16), np.uint8)
    behind = sums.trace(np.concatenate([black, random]), seed=1)["sum"].errors[200:]
    assert np.sqrt(np.mean(behind**2)) == pytest.approx(np.sqrt(np.mean(sums.trace(random, seed=1)["sum"].errors ** 2)), rel=0.5)


def test_what_thresholds_compensate_is_no_error() -> None:
    """Sums that only thresholds read hold tens of DN of known constants."""
    kernels = np.random.default_rng(0).integers(-2, 3, (4, 5, 5)).tolist()
    text = f"""
[network.bits]
input = {{ size = [24, 24], levels = "0..120", range = "0..1", binarise = 128 }}
search = {{ nodes = 100 }}
[[network.bits.layer]]
name = "sums"
op = "convolution"
scale = "1/2"
kernels = {kernels}
[[network.bits.layer]]
name = "bright"
op = "threshold"
at = 0.75
[[network.bits.layer]]
name = "counts"
op = "windows"
size = 5
"""
    network = cain_fpsp.loads(text)["bits"]
    images = np.random.default_rng(5).integers(0, 256, (8, 24, 24), dtype=np.uint8)
    errors = np.stack([network.trace(images, seed=seed)["sums"].errors for seed in range(3)])
    assert (np.abs(errors.mean((0, 1, 3, 4))) < 2 * errors.std((0, 1, 3, 4))).all()


def test_lists_of_pixels_are_heads() -> None:
    text = NETWORK.split("[[network.sides.layer]]\nname = \"counts\"")[0]
    text += '[[network.sides.layer]]\nname = "where"\nop = "events"\ncapacity = 3\n'
    network = cain_fpsp.loads(text)["sides"]
    images = np.zeros((2, 8, 8), np.uint8)
    images[1, 2, 5] = 255
    found = network(images)["where"]
    assert found.shape == (2, 1, 7) and found[0, 0, 0] == 0
    assert found[1, 0].tolist() == [1, 2, 5, 0, 0, 0, 0]
    with pytest.raises(CainError, match="only lists of pixels; end it with numbers"):
        network.evaluate(images)


def test_no_pictures(sides: cain_fpsp.Network) -> None:
    none = pictures(3)[:0]
    assert {name: numbers.shape for name, numbers in sides(none).items()} == {"more": (0, 1)}
    evaluation = sides.evaluate(none, [])
    assert np.isnan(evaluation.accuracy) and np.isnan(evaluation.agreement) and evaluation.correct == 0


def test_labels_are_classes(sides: cain_fpsp.Network) -> None:
    images = pictures(3)
    for labels, message in [
        (["0", "1", "0"], "expected whole or real numbers"),
        ([0, None, 1], "expected whole or real numbers"),
        ([0.5, 1, 0], "no whole numbers"),
        ([0, np.nan, 0], "no whole numbers"),
        ([0, 1, 2], "labels from 0 to 2; the network tells 2 classes"),
        ([0, -1, 1], "labels from -1 to 1"),
        (np.eye(3), r"labels of the shape \(3, 3\) for 3 pictures"),
    ]:
        with pytest.raises(CainError, match=message):
            sides.evaluate(images, labels)
    assert sides.evaluate(images, np.array([0.0, 1.0, 1.0])).labels.dtype == np.int64


def test_pictures_that_are_hardly_meant(sides: cain_fpsp.Network) -> None:
    bright = pictures(2) >= 128
    with pytest.raises(CainError, match="`True` and `False`; expected grey values"):
        sides(bright)
    with pytest.warns(UserWarning, match="nearly black") as told:
        sides(bright.astype(float))
    assert told[0].filename == __file__
    for wrong in (np.zeros((8, 8), "M8[s]"), np.zeros((8, 8), complex), np.full((8, 8), "1"), np.full((8, 8), None)):
        with pytest.raises(CainError, match="expected whole or real numbers"):
            sides(wrong)
    with pytest.raises(CainError, match="some values are masked"):
        sides(np.ma.array(np.zeros((8, 8), np.uint8), mask=np.eye(8)))
    with pytest.raises(CainError, match="expected an array of numbers"):
        sides([[1, 2], [3]])


def written_model(path: pathlib.Path, size: int = 28, classes: int = 10) -> pathlib.Path:
    """A model with random weights, for which many settings are tried."""
    onnx = pytest.importorskip("onnx")
    random = np.random.default_rng(6)
    tensor = lambda name, *size: onnx.numpy_helper.from_array(random.normal(size=size).astype(np.float32), name)
    node = onnx.helper.make_node
    flat = 4 * ((size - 4) // 2 - 4) ** 2
    graph = onnx.helper.make_graph(
        [
            node("Conv", ["picture", "first"], ["sums"]),
            node("Relu", ["sums"], ["rectified"]),
            node("MaxPool", ["rectified"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
            node("Conv", ["pooled", "second"], ["more"]),
            node("Relu", ["more"], ["also"]),
            node("Flatten", ["also"], ["flat"]),
            node("Gemm", ["flat", "dense", "bias"], ["scores"]),
        ],
        "model",
        [onnx.helper.make_tensor_value_info("picture", onnx.TensorProto.FLOAT, [1, 1, size, size])],
        [onnx.helper.make_tensor_value_info("scores", onnx.TensorProto.FLOAT, [1, classes])],
        [tensor("first", 3, 1, 5, 5), tensor("second", 4, 3, 5, 5), tensor("dense", flat, classes), tensor("bias", classes)],
    )
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def test_an_import_that_is_ended_writes_nothing(tmp_path: pathlib.Path) -> None:
    model = written_model(tmp_path / "model.onnx")
    told = []

    def progress(done: int, settings: int) -> None:
        told.append((done, settings))
        raise TimeoutError

    with pytest.raises(TimeoutError):
        cain_fpsp.import_onnx(model, tmp_path / "model.toml", range=(0, 1), progress=progress)
    assert told[0][0] <= told[0][1] and list(tmp_path.glob("*.toml")) == []


def test_weights_without_a_place_are_refused_at_once(tmp_path: pathlib.Path) -> None:
    """Nothing is tried before."""
    told: list = []
    with pytest.raises(CainError, match="large matrices need files of their own; name the kernel file with `output`"):
        cain_fpsp.import_onnx(
            written_model(tmp_path / "model.onnx", classes=20), range=(0, 1), progress=lambda *now: told.append(now)
        )
    assert not told


def test_imports_look_at_arrays(tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(7)
    images, labels = random.integers(0, 256, (12, 14, 14)), np.arange(12) % 3
    arguments = dict(path=written_model(tmp_path / "model.onnx", 14, 3), levels=(0, 120), range=(0, 1), depth=4, nodes=1)
    remarks = cain_fpsp.import_onnx(output=tmp_path / "model.toml", data=(images, labels), **arguments).remarks
    assert any(remark.startswith("compared on 12 pictures of the data") for remark in remarks)
    assert any(remark.startswith("of 12 pictures, the model recognises") for remark in remarks)
    kept = np.load(tmp_path / "model.pictures.npy")
    assert {picture.tobytes() for picture in kept} <= {picture.tobytes() for picture in images.astype(np.uint8)}
    for data, message in [
        (images, r"expected a folder, or pictures and labels: `data=\(pictures, labels\)`"),
        ((images[0], [1]), r"pictures of the shape \(14, 14\); expected some"),
        ((images[:0], []), r"pictures of the shape \(0, 14, 14\)"),
        ((images / 255, labels), "whole grey values from 0 to 255"),
        ((images, labels[1:]), "11 labels for 12 pictures"),
        ((images, labels + 255), "labels from 255 to 257"),
        ((images[:, 1:], labels), "model.onnx: `data`: pictures of 13×14 pixels; the network looks at 14×14$"),
    ]:
        with pytest.raises(CainError, match=message):
            cain_fpsp.import_onnx(data=data, **arguments)
    with pytest.warns(UserWarning, match="nearly black") as warned:
        cain_fpsp.import_onnx(data=((images > 128) * 1, labels), **arguments)
    assert warned[0].filename == __file__
