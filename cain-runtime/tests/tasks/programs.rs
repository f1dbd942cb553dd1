//! Small programs that also need FLAG, for an array of two PEs, and the places where they may be left.

use cain_runtime::isa::asm::digital::{FLAG, R5, or};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Bit, Cells, Dreg, Instruction, KeptBit, Reg, SwitchPoint, Switches};

/// A program of a task, with its input.
pub(crate) struct Program {
    pub(crate) listing: &'static [Instruction],
    /// Whether others may run while it is left.
    pub(crate) has_switch_point: bool,
    pub(crate) switches: &'static [Switches<'static>],
    /// The cells that it writes and to which it moves values.
    pub(crate) cells: Cells,
    pub(crate) input: (Reg, [f32; 2]),
    pub(crate) output: (Reg, [f32; 2]),
    /// A bit that it computes.
    pub(crate) bit: Option<[bool; 2]>,
}

const fn bit(number: usize) -> Cells {
    Cells::bit(Bit::Reg(Dreg::ALL[number]))
}

const fn kept_bit(home: Bit, register: usize) -> KeptBit {
    KeptBit { home, register: Dreg::ALL[register] }
}

const FAST_CELLS: Cells = overwritten(&[C]).union(bit(5));
const MIDDLE_CELLS: Cells = overwritten(&[B, F]).union(bit(8));
const FLAG_KEPT: KeptBit = kept_bit(FLAG, 6);
const BIT_KEPT: KeptBit = kept_bit(R5, 7);

/// The points where both other tasks may run.
const FOR_BOTH: Switches<'static> = Switches {
    others: FAST_CELLS.union(MIDDLE_CELLS),
    points: &[
        point(0, 0, 0, &[]),
        point(1, 0, 1, &[]),
        point(2, 2, 2, &[kept(B, D)]),
        point(3, 3, 5, &[kept(B, D)]).with_bits(&[FLAG_KEPT], true),
        point(5, 5, 5, &[kept(B, D)]).with_bits(&[BIT_KEPT], true),
        point(6, 6, 4, &[kept(B, D)]).with_bits(&[BIT_KEPT], false),
        point(8, 8, 6, &[kept_news(D), kept(B, E)]).with_bits(&[BIT_KEPT], false),
        point(9, 9, 4, &[kept(C, E)]).with_bits(&[BIT_KEPT], false),
    ],
    // The way back to the point after 8 instructions, and away again.
    latency: 3 + 3,
};

/// Two more points where the fastest task may run.
const FOR_FAST: Switches<'static> = Switches {
    others: FAST_CELLS,
    points: &[
        point(4, 4, 5, &[]).with_bits(&[BIT_KEPT, FLAG_KEPT], true),
        point(7, 7, 4, &[kept(C, E)]).with_bits(&[BIT_KEPT], false),
    ],
    // The way back to the point after 8 instructions, and away again.
    latency: 3 + 3,
};

/// C = 2|A| − A, and a bit for A > 0.
pub(crate) const SLOW: Program = Program {
    listing: &[
        bus(&[NEWS], &[reg(A)]),
        bus(&[reg(B)], &[NEWS]),
        where_positive(&[reg(A)]),
        or(R5, &[FLAG]),
        bus(&[reg(B)], &[reg(A)]),
        all(),
        bus(&[reg(C)], &[reg(A), reg(B)]),
        bus(&[NEWS], &[reg(C)]),
        bus(&[reg(C)], &[NEWS, reg(B)]),
    ],
    has_switch_point: false,
    switches: &[FOR_BOTH, FOR_FAST],
    cells: overwritten(&[A, B, C, D, E]).union(bit(5)).union(bit(6)).union(bit(7)),
    input: (A, [5.0, -7.0]),
    output: (C, [5.0, 21.0]),
    bit: Some([true, false]),
};

/// B = |B|.
pub(crate) const MIDDLE: Program = Program {
    listing: &[
        bus(&[reg(F)], &[reg(B)]),
        bus(&[NEWS], &[reg(F)]),
        where_positive(&[reg(F)]),
        bus(&[reg(B)], &[NEWS]),
        all(),
    ],
    has_switch_point: false,
    switches: &[Switches {
        others: FAST_CELLS,
        points: &[
            point(0, 0, 0, &[]),
            point(1, 1, 0, &[]),
            point(2, 1, 1, &[]),
            point(3, 3, 5, &[kept_news(F)]).with_bits(&[kept_bit(FLAG, 8)], true),
            SwitchPoint { sets_flag: true, ..point(4, 4, 1, &[]) },
            point(5, 5, 0, &[]),
        ],
        latency: 5,
    }],
    cells: MIDDLE_CELLS,
    input: (B, [3.0, -2.0]),
    output: (B, [3.0, 2.0]),
    bit: None,
};

/// C = C − 9 where that is positive, and a bit for these places. It cannot be left while it runs.
pub(crate) const FAST: Program = Program {
    listing: &[bus(&[NEWS], &[reg(C)]), where_positive(&[reg(C)]), bus(&[reg(C)], &[NEWS, IN]), or(R5, &[FLAG]), all()],
    has_switch_point: true,
    switches: &[],
    cells: FAST_CELLS,
    input: (C, [1.0, -4.0]),
    output: (C, [-8.0, -4.0]),
    bit: Some([true, false]),
};

/// The most words for leaving a task for the fastest one and coming back, at points where the other one cannot run.
pub(crate) const THERE_AND_BACK: u32 = 3 + 2;

/// The level with which the fastest task compares.
pub(crate) const LEVEL: i8 = 9;
