"""Layers for PyTorch, which many machines that run these tests do not have."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import cain_fpsp
from cain_fpsp import CainError

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

needs_torch = pytest.mark.skipif(torch is None, reason="PyTorch is not installed")


def test_without_pytorch_an_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['torch'] = None\nimport cain_fpsp\nimport cain_fpsp.torch"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: `cain_fpsp.torch` needs PyTorch; install it with `pip install torch` or `pip install cain-fpsp[torch]`"
    )


@needs_torch
def test_weights_are_those_of_the_array_and_gradients_pass() -> None:
    from cain_fpsp import torch as chip

    layer = chip.Conv2d(1, 4, 3, depth=2, most=0.75, chip=chip.Chip.ideal())
    with torch.no_grad():
        layer.weight *= 3
    weights = layer.weights()
    assert torch.equal(weights * 4, torch.round(weights * 4)) and weights.abs().max().item() == 0.75
    layer(torch.rand(2, 1, 8, 8)).sum().backward()
    assert float(layer.weight.grad.abs().min()) > 0


@needs_torch
def test_sums_are_halved_until_they_fit() -> None:
    from cain_fpsp import torch as chip

    layer = chip.Conv2d(2, 1, 3, depth=0, numbers=(-1, 1), dn=60)
    layer.weight = torch.nn.Parameter(torch.ones(1, 2, 3, 3))
    # 18 times 60 DN are 1080, an eighth of which is 135.
    assert (layer.largest(), layer.dn_of_sums()) == (18, 60 / 16)
    with pytest.raises(CainError, match="leave the range of the registers"):
        chip.Conv2d(1, 1, 3, numbers=(0, 2), dn=100)


@needs_torch
def test_thresholds_lie_between_possible_sums() -> None:
    from cain_fpsp import torch as chip

    layer = chip.Threshold(2, step=0.5)
    with torch.no_grad():
        layer.at.copy_(torch.tensor([0.51, -0.1]).view(2, 1, 1))
    assert layer.thresholds().flatten().tolist() == [0.75, -0.25]
    layer(torch.zeros(1, 2, 3, 3)).sum().backward()
    assert float(layer.at.grad.abs().min()) > 0


@needs_torch
def test_errors_are_there_in_training_only() -> None:
    from cain_fpsp import torch as chip

    torch.manual_seed(1)
    errors = chip.MapErrors(chip.Chip.measured())
    maps = torch.full((2, 3, 200, 200), 40.0)
    seen = errors(maps, 1.0)
    # Pictures of a batch are seen by the same chip.
    assert torch.equal(seen[0], seen[1]) and not torch.equal(seen, errors(maps, 1.0))
    measured = chip.Chip.measured()
    spread = float(seen[0, 0].std())
    assert spread == pytest.approx(np.hypot(measured.pattern, 40 * measured.pattern_gain), rel=0.1)
    assert torch.equal(errors.eval()(maps, 1.0), maps)
    assert torch.equal(chip.MapErrors(chip.Chip.ideal())(maps, 1.0), maps)


@needs_torch
def test_constants_are_those_of_the_compiler() -> None:
    from cain_fpsp import torch as chip

    program = cain_fpsp.compile([[1]], nodes=10)
    wanted, found = chip.Chip.of(program.errors()), chip.Chip.measured()
    assert vars(found) == pytest.approx(vars(wanted), rel=1e-5)


@needs_torch
def test_errors_are_about_those_of_programs() -> None:
    """A picture of ones and zeros through the programs of kernels with some weights, and through the layer."""
    from cain_fpsp import torch as chip

    torch.manual_seed(2)
    random = np.random.default_rng(2)
    ratios = []
    for _ in range(3):
        weights = random.integers(-2, 3, (3, 3)) / 2
        weights[1, 1] = 1
        layer = chip.Conv2d(1, 1, 3, depth=1, dn=120)
        layer.weight = torch.nn.Parameter(torch.tensor(weights[None, None], dtype=torch.float32))
        dn = layer.dn_of_sums()
        program = cain_fpsp.compile({"B": weights}, scale=str(round(dn)) + "/120", nodes=2000, input="0..120")
        picture = (random.random((48, 48)) < 0.3).astype(np.float32)
        exact = program(picture * 120)
        on_chip = [program.simulate(picture * 120, seed=seed) - exact for seed in range(6)]
        in_layer = [layer(torch.tensor(picture)[None, None]).detach().numpy()[0, 0] * dn for _ in range(40)]
        ideal = layer.eval()(torch.tensor(picture)[None, None]).detach().numpy()[0, 0] * dn
        rms = lambda errors: np.sqrt(np.mean(np.square(errors)))
        np.testing.assert_allclose(exact[1:-1, 1:-1], ideal, atol=1e-3)
        ratios.append(rms(np.array(in_layer) - ideal) / rms(np.array(on_chip)[:, 1:-1, 1:-1]))
    assert 0.5 < np.exp(np.mean(np.log(ratios))) < 2.5, ratios


@needs_torch
def test_a_trained_network_is_what_the_compiler_evaluates(tmp_path: pathlib.Path) -> None:
    from cain_fpsp import torch as chip

    torch.manual_seed(3)
    random = np.random.default_rng(3)
    images = np.zeros((200, 12, 12), np.uint8)
    labels = random.integers(0, 2, 200)
    for image, label in zip(images, labels):
        row, column = random.integers(0, 6, 2)
        bar = image[row : row + 6, column : column + 2] if label else image[row : row + 2, column : column + 6]
        bar[:] = 255
    model = torch.nn.Sequential(
        chip.Conv2d(1, 2, 3, depth=1, dn=120),
        chip.Threshold(2),
        torch.nn.MaxPool2d(2),
        chip.Windows(5),
        torch.nn.Linear(2, 2),
    )
    edge = torch.tensor([[1.0, 1, 1], [-1, -1, -1], [0, 0, 0]])
    with torch.no_grad():
        model[0].weight.copy_(torch.stack([edge, edge.T])[:, None])
        model[1].at.fill_(1.5)
    picture = chip.Picture(binarise=128)
    numbers = picture(torch.tensor(images))
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(100):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(numbers), torch.tensor(labels)).backward()
        optimizer.step()
    wanted = model.eval()(numbers).argmax(1).numpy()
    assert np.mean(wanted == labels) > 0.9
    chip.export(model, tmp_path / "bars.onnx", (12, 12))
    # Exporting leaves the model as it is.
    assert isinstance(model[0].weight, torch.nn.Parameter) and model[0].fixed is None
    imported = cain_fpsp.import_onnx(
        tmp_path / "bars.onnx", tmp_path / "bars.toml", levels=(0, 120), range=(0, 1), binarise=128
    )
    assert any("Conv" in remark for remark in imported.remarks)
    for model_, least in [("ideal", 0.99), ("measured", 0.97)]:
        found = cain_fpsp.evaluate(tmp_path / "bars.toml", images, labels, model=model_, seed=1)
        assert np.mean(found.classes == wanted) >= least
    with pytest.raises(CainError, match="exists already"):
        (tmp_path / "bars.toml").write_text("mine")
        cain_fpsp.import_onnx(tmp_path / "bars.onnx", tmp_path / "bars.toml", levels=(0, 120), range=(0, 1))


@needs_torch
def test_the_largest_weight_is_one_that_the_array_has() -> None:
    from cain_fpsp import torch as chip

    weights = torch.tensor([1.0, -1.0, 0.3])
    assert chip.rounded(weights, 1, 0.35).tolist() == [0, 0, 0]
    assert chip.rounded(weights, 2, 0.6).tolist() == [0.5, -0.5, 0.25]
    for arguments, message in [
        (dict(depth=1, most=0.35), r"no multiple of 1/2\^1 but 0"),
        (dict(depth=-1), "`depth` is -1"),
        (dict(depth=1.5), "`depth` is 1.5"),
        (dict(depth=float("nan")), "`depth` is nan"),
        (dict(groups=2), "1 channels to 1 in 2 groups; expected multiples"),
        (dict(dn=0.0), "`dn` is 0.0; expected a number above 0"),
        (dict(numbers=(1, 0)), "expected the least and the largest number"),
    ]:
        with pytest.raises(CainError, match=message):
            chip.Conv2d(1, 1, 3, **arguments)
    with pytest.raises(CainError, match="`step` is 0; expected a number above 0"):
        chip.Threshold(1, step=0)


@needs_torch
def test_padding_is_part_of_the_largest_sum() -> None:
    from cain_fpsp import torch as chip

    layer = chip.Conv2d(1, 1, 3, depth=0, padding=1, numbers=(0.5, 1.0), dn=120)
    kernel = torch.tensor([[0, 0, 0], [0, 1.0, -1.0], [0, 0, 0]])
    layer.weight = torch.nn.Parameter(kernel[None, None])
    assert layer.largest() == float(layer.eval()(torch.ones(1, 1, 4, 4)).detach().abs().max()) == 1


@needs_torch
def test_errors_of_maps_within_a_sequence() -> None:
    from cain_fpsp import torch as chip

    maps = torch.rand(1, 2, 8, 8)
    errors = torch.nn.Sequential(chip.MapErrors(chip.Chip.measured(), dn=60))
    assert not torch.equal(errors(maps), maps) and torch.equal(errors.eval()(maps), maps)
    with pytest.raises(CainError, match="say how many the number 1 stands for"):
        chip.MapErrors(chip.Chip.measured())(maps)


@needs_torch
def test_layers_tell_their_settings_and_what_cannot_be_exported(tmp_path: pathlib.Path) -> None:
    from cain_fpsp import torch as chip

    model = torch.nn.Sequential(chip.Picture(binarise=128), chip.Conv2d(1, 4, 3, depth=1), chip.Threshold(4, step=0.5))
    shown = repr(model)
    assert "binarise=128" in shown and "1, 4, kernel_size=(3, 3), depth=1" in shown and "step=0.5" in shown
    with pytest.raises(CainError, match="`Picture` is no part of an exported network"):
        chip.export(model, tmp_path / "model.onnx", (28, 28))
    with pytest.raises(CainError, match="expected the rows and the columns"):
        chip.export(model[1:], tmp_path / "model.onnx", 28)
    assert list(tmp_path.iterdir()) == []
