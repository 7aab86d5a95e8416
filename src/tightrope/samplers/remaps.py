"""Remapped kernels: the kernel is drawn from, and each output replaced by its answer."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.samplers.sources import Source


class _Drawn(Protocol):
    def draw(self, codes: IntArray, source: Source) -> NDArray[np.int64]: ...


class RemapSampler:
    """Draws an output of the kernel and looks its target up."""

    def __init__(self, kernel: _Drawn, targets: tuple[int, ...]) -> None:
        self._kernel = kernel
        self._targets: IntArray = np.array(targets, dtype=np.int64)

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output index for each input index."""
        return self._targets[self._kernel.draw(codes, source)]
