"""Networks, and what they make of pictures."""

from dataclasses import dataclass
from typing import Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._native import CainError
from ._programs import Declared, Floats, Progress


@dataclass(frozen=True)
class Evaluation:
    """How a network recognised pictures."""

    #: The class of each picture, as the chip and its controller found it.
    classes: NDArray[np.uintp]
    #: The class that the network of the kernel file has in floating point.
    float_classes: NDArray[np.uintp]
    #: Whether all numbers that were read out equal those in floating point.
    exact: NDArray[np.bool_]
    #: The labels, if there were some.
    labels: Optional[NDArray[np.int64]] = None

    @property
    def correct(self) -> int:
        """How many classes are those of the labels."""
        if self.labels is None:
            raise CainError("there are no labels; give them to `evaluate`")
        return int(np.count_nonzero(self.classes == self.labels))

    @property
    def accuracy(self) -> float:
        """The share of classes that are those of the labels; NaN for no pictures."""
        return self.correct / len(self.classes) if len(self.classes) else float("nan")

    @property
    def agreement(self) -> float:
        """The share of classes that are those in floating point; NaN for no pictures."""
        return float(np.mean(self.classes == self.float_classes)) if len(self.classes) else float("nan")


@dataclass(frozen=True)
class Traced:
    """The values of a layer in numbers of the network: pictures, channels, rows and columns, or pictures and numbers.

    Channels that have no register of their own, and those of which synthetic pictures and the first of these pictures do not
    tell what a register's value stands for, because they are always the same, are NaN on both arrays.
    """

    #: In floating point.
    float: NDArray[np.float64]
    #: On an array without errors; ``None`` if the layer is part of others there.
    ideal: Optional[NDArray[np.float64]]
    #: On an array with errors, without the known constants in sums for which the thresholds that read them compensate.
    chip: Optional[NDArray[np.float64]]

    @property
    def errors(self) -> Optional[NDArray[np.float64]]:
        """How far values on the chip are from those in floating point, without what thresholds compensate."""
        return None if self.chip is None else self.chip - self.float


class Network(Declared):
    """A network whose sums, exact layers and other steps were proved one by one."""

    @property
    def size(self) -> Tuple[int, int]:
        """The rows and columns of the picture."""
        return self._native.size

    def evaluate(
        self,
        images: ArrayLike,
        labels: Optional[ArrayLike] = None,
        model: str = "measured",
        seed: int = 0,
        progress: Progress = None,
    ) -> Evaluation:
        """The classes of pictures on a simulated array, as ``cain eval`` finds them.

        ``images`` has grey values from 0 to 255: pictures, rows and columns, or a single picture; ``labels`` has the number of
        the class of each. The class is that of the first head that is numbers. ``progress`` is told how many pictures are done,
        and how many there are. Arrays of bytes are read without a copy, and must not be changed meanwhile.
        """
        pictures = self._pictures(images)
        truth = None if labels is None else _arrays.labels(labels, len(pictures), self._native.classes)
        model, seed = _arrays.text("model", model), _arrays.seed(seed)
        classes, float_classes, exact = self._native.evaluate(pictures, model, seed, progress)
        return Evaluation(classes, float_classes, exact, truth)

    def heads(
        self, images: ArrayLike, model: str = "measured", seed: int = 0, progress: Progress = None
    ) -> Dict[str, Floats]:
        """The numbers of each head for pictures, such as scores: an array with a row for each picture.

        Of a head that lists pixels, pictures, lists and numbers: how many pixels there are, then the row and the column of each,
        and zeros behind them.
        """
        return self._heads(images, model, seed, progress)

    def trace(
        self, images: ArrayLike, model: str = "measured", seed: int = 0, progress: Progress = None
    ) -> Dict[str, Traced]:
        """The values of every layer for pictures. What registers hold is told in numbers of the network."""
        pictures = self._pictures(images)
        layers = self._native.trace(pictures, _arrays.text("model", model), _arrays.seed(seed), progress)
        return {name: Traced(in_float, ideal, chip) for name, in_float, ideal, chip in layers}

    def __call__(self, images: ArrayLike) -> Dict[str, Floats]:
        """The numbers of each head on an array without errors; see :meth:`heads`."""
        return self._heads(images, "ideal", 0, None)

    def _heads(self, images: ArrayLike, model: str, seed: int, progress: Progress) -> Dict[str, Floats]:
        pictures = _arrays.pictures(images, self.name, self.size, stacklevel=3)
        return dict(self._native.heads(pictures, _arrays.text("model", model), _arrays.seed(seed), progress))

    def _pictures(self, images: ArrayLike) -> NDArray[np.uint8]:
        return _arrays.pictures(images, self.name, self.size, stacklevel=3)
