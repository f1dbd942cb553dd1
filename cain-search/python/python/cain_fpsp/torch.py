"""Layers with the arithmetic and the errors of the chip, so that a network is trained for it.

In training, weights are rounded to multiples of ``1/2^depth`` and thresholds decide, but gradients pass as if they did not;
and every map has the errors of a chip that is drawn anew for each batch: a gain and an offset for each channel, and a
pattern over the pixels. In evaluation (``model.eval()``) there are no errors. :func:`export` writes what ``cain import``
reads.

Values on the array are in DN, from -128 to 127. A network computes with *numbers* instead: ``dn`` is how many DN the number
1 stands for. The compiler halves sums until their largest possible value fits, and the smaller the DN, the larger the errors
are beside them; the layers here do the same.
"""

import copy
import inspect
import math
import os
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple, Union

try:
    import torch
except ImportError as error:
    raise ImportError("`cain_fpsp.torch` needs PyTorch; install it with `pip install torch` or `pip install cain-fpsp[torch]`") from error

from torch import Tensor, nn
from torch.nn import functional

from ._native import CainError
from ._programs import Errors

__all__ = ["Chip", "Conv2d", "MapErrors", "Picture", "Threshold", "Windows", "above", "export", "rounded"]

#: The largest magnitude that a register holds, in DN.
MOST = 127.0


@dataclass(frozen=True)
class Chip:
    """The errors of a map on chips, in DN and as shares of the value. Those with a spread differ between chips and programs."""

    #: The mean gain of a map.
    gain: float = 1.0
    #: The standard deviation of the gain of a channel.
    gain_spread: float = 0.0
    #: The standard deviation of the offset of a channel, in DN.
    offset: float = 0.0
    #: The standard deviation of the gain over pixels.
    pattern_gain: float = 0.0
    #: The standard deviation of the offset over pixels, in DN.
    pattern: float = 0.0
    #: The standard deviation of the noise of a read-out, in DN.
    readout: float = 0.0

    @staticmethod
    def of(errors: Errors, transfers: int = 6) -> "Chip":
        """The errors of maps whose values pass so many transfers on their way, from the constants of an error model, see
        :meth:`cain_fpsp.Program.errors`. Half the gain is known to nobody before the program is."""
        gain = errors.gain**transfers
        halving = abs(errors.offset[1] - errors.offset[0])
        return Chip(
            gain=gain,
            gain_spread=(1 - gain) / 2,
            # What is left of constants: a halving leaves the difference, and later ones half of it.
            offset=halving / 2,
            pattern_gain=errors.fixed_gain * math.sqrt(transfers),
            pattern=errors.fixed_offset * math.sqrt(transfers),
            readout=errors.readout_noise,
        )

    @staticmethod
    def measured(transfers: int = 6) -> "Chip":
        """As measured on SCAMP-5; the constants are those of the error model ``measured``."""
        return Chip.of(Errors(0.9928, (20.0, 21.99, 21.99), 0.0028, 0.14, 0.65), transfers)

    @staticmethod
    def ideal() -> "Chip":
        """Without errors."""
        return Chip()

    def times(self, factor: float) -> "Chip":
        """With all errors larger by this factor, as a margin."""
        return Chip(
            1 - (1 - self.gain) * factor,
            self.gain_spread * factor,
            self.offset * factor,
            self.pattern_gain * factor,
            self.pattern * factor,
            self.readout * factor,
        )


def _positive(what: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise CainError(f"`{what}` is {value}; expected a number above 0")


class _Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, depth: int, most: float) -> Tensor:
        steps = 2.0**depth
        largest = math.floor(most * steps)
        return torch.clamp(torch.round(weights * steps), -largest, largest) / steps

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        return gradients[0], None, None


class _Above(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, distance: Tensor, sharpness: float) -> Tensor:
        ctx.save_for_backward(distance)
        ctx.sharpness = sharpness
        return (distance > 0).to(distance.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        (distance,) = ctx.saved_tensors
        soft = torch.sigmoid(ctx.sharpness * distance)
        return gradients[0] * ctx.sharpness * soft * (1 - soft), None


def rounded(weights: Tensor, depth: int, most: float = 1.0) -> Tensor:
    """The nearest multiples of ``1/2^depth`` of at most that magnitude; gradients pass unchanged."""
    found: Tensor = _Round.apply(weights, depth, most)
    return found


def above(distance: Tensor, sharpness: float = 2.0) -> Tensor:
    """1 where a number is above 0, else 0; gradients are those of a sigmoid."""
    found: Tensor = _Above.apply(distance, sharpness)
    return found


class Picture(nn.Module):
    """Grey values from 0 to 255 as numbers: pictures, rows and columns become pictures, one channel, rows and columns.

    It is no part of the exported network: ``cain import`` has the same as ``--range`` and ``--binarise``.
    """

    def __init__(self, range: Tuple[float, float] = (0.0, 1.0), binarise: Optional[int] = None) -> None:
        super().__init__()
        self.range, self.binarise = range, binarise

    def extra_repr(self) -> str:
        return f"range={self.range}, binarise={self.binarise}"

    def forward(self, grey: Tensor) -> Tensor:
        share = grey.float() / 255 if self.binarise is None else (grey >= self.binarise).float()
        black, white = self.range
        return (share * (white - black) + black).unsqueeze(1)


#: The number of weights for which the errors of a chip are meant. Programs of more have more words: random kernels of 25 to 31
#: weights take 90 words, with predicted offsets of 1 to 19 DN and patterns of 1 to 2 DN; of 7 or 8 weights 10 words, below 0.3
#: and about 0.5 DN.
_TERMS = 8


class MapErrors(nn.Module):
    """Adds the errors of a chip to maps in training; nothing in evaluation.

    ``dn`` is how many DN the number 1 of the maps stands for: given to the layer, as in ``nn.Sequential``, or for each call.
    ``terms`` is the number of weights of each channel, if the maps are sums.
    """

    def __init__(self, chip: Chip, dn: Optional[float] = None) -> None:
        super().__init__()
        if dn is not None:
            _positive("dn", dn)
        self.chip, self.dn = chip, dn

    def extra_repr(self) -> str:
        return f"{self.chip}" if self.dn is None else f"{self.chip}, dn={self.dn}"

    def forward(self, maps: Tensor, dn: Union[float, Tensor, None] = None, terms: Optional[Tensor] = None) -> Tensor:
        if not self.training:
            return maps
        dn = self.dn if dn is None else dn
        if dn is None:
            raise CainError("errors are in DN; say how many the number 1 stands for: `MapErrors(chip, dn=120)`")
        chip, (_, channels, rows, columns) = self.chip, maps.shape
        each = lambda *sizes: torch.randn(1, channels, *sizes, dtype=maps.dtype, device=maps.device)
        more = torch.ones(channels, device=maps.device) if terms is None else torch.clamp(terms / _TERMS, min=0.5)
        more = more.to(maps.dtype).view(1, channels, 1, 1)
        gain = chip.gain + torch.sqrt(more) * (chip.gain_spread * each(1, 1) + chip.pattern_gain * each(rows, columns))
        offset = more**1.5 * chip.offset * each(1, 1) + more * chip.pattern * each(rows, columns)
        return maps * gain + offset / dn


class Conv2d(nn.Module):
    """A convolution with weights that the array has: multiples of ``1/2^depth`` of at most ``most``.

    ``numbers`` are the least and the largest number of the input, and ``dn`` the DN of its number 1, from which the size
    of the errors follows; it also grows with the number of weights that are not 0, as programs do. Sums of few weights serve
    best: with ``groups`` each map reads only some of those before it. There is no bias; a threshold behind it has the same
    effect.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        *,
        depth: int = 2,
        most: float = 1.0,
        padding: int = 0,
        stride: int = 1,
        groups: int = 1,
        numbers: Tuple[float, float] = (0.0, 1.0),
        dn: float = 120.0,
        chip: Optional[Chip] = None,
    ) -> None:
        super().__init__()
        _positive("dn", dn)
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise CainError(f"{in_channels} channels to {out_channels} in {groups} groups; expected multiples of the number of groups")
        if not 0 <= depth < math.inf or depth % 1:
            raise CainError(f"`depth` is {depth}; expected a whole number from 0 on, for weights in multiples of 1/2^depth")
        if not most * 2.0**depth >= 1:
            raise CainError(f"no multiple of 1/2^{depth} but 0 has at most the magnitude `most={most}`; take more of either")
        if not numbers[0] <= numbers[1]:
            raise CainError(f"`numbers` are {numbers}; expected the least and the largest number of the input")
        if max(abs(number) for number in numbers) * dn > MOST:
            raise CainError(f"numbers from {numbers[0]} to {numbers[1]} of {dn} DN each leave the range of the registers, -128 to 127 DN")
        size = (out_channels, in_channels // groups, kernel_size, kernel_size)
        self.weight = nn.Parameter(torch.randn(*size) / math.sqrt(size[1] * kernel_size))
        self.depth, self.most, self.padding, self.stride = depth, most, padding, stride
        self.groups, self.numbers, self.dn = groups, numbers, dn
        self.errors = MapErrors(chip or Chip.measured())
        self.fixed: Optional[Tensor] = None

    def extra_repr(self) -> str:
        rows, columns = self.weights().shape[2:]
        return (
            f"{self.weights().shape[1] * self.groups}, {self.weights().shape[0]}, kernel_size=({rows}, {columns}), depth={self.depth}, "
            f"most={self.most}, padding={self.padding}, stride={self.stride}, groups={self.groups}, numbers={self.numbers}, dn={self.dn}"
        )

    def weights(self) -> Tensor:
        """The weights that the array has."""
        return rounded(self.weight, self.depth, self.most) if self.fixed is None else self.fixed

    def largest(self) -> float:
        """The largest magnitude that a sum can have, in numbers."""
        weights, (low, high) = self.weights().detach(), self.numbers
        if self.padding:
            # There are zeros around the maps.
            low, high = min(low, 0.0), max(high, 0.0)
        ends = [torch.maximum(weights * low, weights * high), torch.minimum(weights * low, weights * high)]
        return max(float(end.sum((1, 2, 3)).abs().max()) for end in ends)

    def dn_of_sums(self) -> float:
        """The DN of the number 1 in the result: those of the input, halved until the largest sum fits."""
        dn = self.dn
        while self.largest() * dn > MOST:
            dn /= 2
        return dn

    def forward(self, maps: Tensor) -> Tensor:
        weights = self.weights()
        sums = functional.conv2d(maps, weights, padding=self.padding, stride=self.stride, groups=self.groups)
        if not self.training:
            return sums
        return self.errors(sums, self.dn_of_sums(), (weights.detach() != 0).sum((1, 2, 3)))


class Threshold(nn.Module):
    """Bits: 1 where a channel is above its threshold, which is learnt, else 0.

    ``step`` is the distance between the numbers that a channel can have, such as ``1/2^depth`` for sums of bits. Then a
    threshold lies in the middle between two of them, where errors have the most room.
    """

    def __init__(
        self, channels: int, at: float = 0.5, *, step: Optional[float] = None, sharpness: float = 2.0
    ) -> None:
        super().__init__()
        if step is not None:
            _positive("step", step)
        self.at = nn.Parameter(torch.full((channels, 1, 1), at))
        self.step, self.sharpness = step, sharpness
        self.fixed: Optional[Tensor] = None

    def extra_repr(self) -> str:
        return f"{self.thresholds().numel()}, step={self.step}, sharpness={self.sharpness}"

    def thresholds(self) -> Tensor:
        """The thresholds, between two numbers that a channel can have."""
        if self.fixed is not None:
            return self.fixed
        if self.step is None:
            return self.at
        middle = (torch.floor(self.at / self.step) + 0.5) * self.step
        return self.at + (middle - self.at).detach()

    def forward(self, maps: Tensor) -> Tensor:
        if self.training:
            return above(maps - self.thresholds(), self.sharpness)
        return (maps > self.thresholds()).to(maps.dtype)


class Windows(nn.Module):
    """The sums over windows side by side, as the controller reads them: of bits they are counts.

    Values have the noise of a read-out if ``dn`` says how many DN the number 1 stands for.
    """

    def __init__(self, size: int, *, dn: Optional[float] = None, chip: Optional[Chip] = None) -> None:
        super().__init__()
        self.size, self.dn = size, dn
        self.readout = (chip or Chip.measured()).readout

    def extra_repr(self) -> str:
        return f"{self.size}" if self.dn is None else f"{self.size}, dn={self.dn}"

    def forward(self, maps: Tensor) -> Tensor:
        if self.training and self.dn is not None:
            maps = maps + torch.randn_like(maps) * (self.readout / self.dn)
        return functional.avg_pool2d(maps, self.size).flatten(1) * float(self.size**2)


def export(model: nn.Module, path: Union[str, "os.PathLike[str]"], size: Sequence[int], *, opset: int = 13) -> None:
    """Writes a network as ONNX for ``cain import``, with the weights that the array has. Its input are numbers: one channel of
    ``size`` rows and columns, and there is no :class:`Picture` in it."""
    if any(isinstance(module, Picture) for module in model.modules()):
        raise CainError(
            "a `Picture` is no part of an exported network; leave it out of the model, and give `range` and `binarise` to `import_onnx`"
        )
    if not isinstance(size, Sequence) or len(size) != 2:
        raise CainError(f"`size` is {size}; expected the rows and the columns of the picture, such as (28, 28)")
    fixed = copy.deepcopy(model).cpu().eval()
    for module in fixed.modules():
        if isinstance(module, Conv2d):
            module.fixed = module.weights().detach()
            del module.weight
        if isinstance(module, Threshold):
            module.fixed = module.thresholds().detach()
            del module.at
    rows, columns = size
    # Newer versions have another exporter as their default, which needs further packages.
    options: Any = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    torch.onnx.export(
        fixed,
        (torch.zeros(1, 1, rows, columns),),
        os.fspath(path),
        opset_version=opset,
        input_names=["picture"],
        output_names=["scores"],
        dynamic_axes={"picture": {0: "batch"}, "scores": {0: "batch"}},
        **options,
    )
