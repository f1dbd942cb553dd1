//! The bits of a control word: which line each operand and each instruction drives.
//!
//! They are listed nowhere else; encoding and decoding both read it. Source: SCAMP-5d library headers
//! (University of Manchester, 2020). The lines of a diffusion and of the squarer are named there, but no listing of the
//! words `blur`, `blurh`, `blurv` and `sq` is public: that they drive their lines beside those of a transfer is derived from
//! the names.

use crate::isa::{Axes, Bit, Cell, Clock, Direction, Operation, Reg};

/// A set of the 80 lines; line n is bit n.
pub(super) type Lines = u128;

macro_rules! lines {
    ($($name:ident = $number:literal),* $(,)?) => {
        $(const $name: Lines = 1 << $number;)*
    };
}

lines! {
    SELSQ = 0, SELPIX = 1, RSTPIX = 2, SELDIFFE = 3, SELDIFFS = 4, S_IN = 5, RANA = 6,
    SELS = 7, SELE = 9, SELX = 10, SELN = 12, SELW = 29,
    RID = 11, WRF = 20, SETF = 28, PUPD = 30, FBUS = 31,
    LFL = 56, RFL = 57, NBIT = 58, NB = 59, PLWB = 60, PLRB = 61, BIT = 62, BITMODE = 63,
    WR = 64, S0_LEFT = 72, S0_BOT = 76,
}

/// W1 to W7: the cell is written.
const fn w(number: u32) -> Lines {
    1 << (12 + number)
}

/// SEL1 to SEL7: the cell is connected to the bus.
const fn sel(number: u32) -> Lines {
    1 << (20 + number)
}

/// RR1 to RR12: the digital register is read.
const fn rr(number: u32) -> Lines {
    1 << (31 + number)
}

/// LR1 to LR12: the digital register is loaded.
const fn lr(number: u32) -> Lines {
    1 << (43 + number)
}

/// The lines of one analogue cell.
pub(super) struct CellLines {
    pub(super) cell: Cell,
    /// Driven, beside `select`, where the cell is a destination; no line for cells that are sources only.
    pub(super) write: Lines,
    /// Driven wherever the cell is on the bus.
    pub(super) select: Lines,
}

const fn cell(cell: Cell, write: Lines, select: Lines) -> CellLines {
    CellLines { cell, write, select }
}

/// Every analogue cell that a word of SCAMP-5 can name.
///
/// A port is written by the strobe of the PE's own NEWS: every PE pushes at the same time, so each receives from its
/// neighbour. The line called `sels` belongs to the port to the north, and `seln` to the one to the south.
pub(super) const CELLS: [CellLines; 13] = [
    cell(Cell::Reg(Reg::A), w(1), sel(1)),
    cell(Cell::Reg(Reg::B), w(2), sel(2)),
    cell(Cell::Reg(Reg::C), w(3), sel(3)),
    cell(Cell::Reg(Reg::D), w(5), sel(5)),
    cell(Cell::Reg(Reg::E), w(6), sel(6)),
    cell(Cell::Reg(Reg::F), w(7), sel(7)),
    cell(Cell::News, w(4), sel(4) | SELX),
    cell(Cell::Port(Direction::North), w(4), sel(4) | SELS),
    cell(Cell::Port(Direction::East), w(4), sel(4) | SELE),
    cell(Cell::Port(Direction::South), w(4), sel(4) | SELN),
    cell(Cell::Port(Direction::West), w(4), sel(4) | SELW),
    cell(Cell::Pix, 0, SELPIX),
    cell(Cell::In, 0, S_IN),
];

/// The lines that read a bit.
pub(super) const fn read(bit: Bit) -> Lines {
    match bit {
        Bit::Reg(register) if register.number() == 0 => RFL,
        Bit::Reg(register) => rr(register.number() as u32),
        Bit::Flag => RANA,
        Bit::Select => WR,
        Bit::Rect => WR | S0_LEFT | S0_BOT,
    }
}

/// The line that loads the digital register of that number.
pub(super) const fn load(number: u8) -> Lines {
    if number == 0 { LFL } else { lr(number as u32) }
}

/// The words that write digital registers within a PE, each with the lines that it drives beside its operands'.
///
/// `CLR` comes before `OR`, of which it is the form without a source.
pub(super) const LOGIC: [(Operation, Lines); 10] = [
    (Operation::Set, S_IN | PLWB),
    (Operation::Clr, S_IN | PLRB | BIT | BITMODE),
    (Operation::Or, S_IN | PLRB | BIT | BITMODE),
    (Operation::Nor, S_IN | PLWB | PLRB | NBIT | BITMODE),
    (Operation::HoldOr, PLRB | BIT | BITMODE),
    (Operation::StoreOr, BIT | BITMODE),
    (Operation::HoldNor, PLRB | NBIT),
    (Operation::StoreNor, NBIT),
    (Operation::HoldRefresh, S_IN | PLRB | BIT | BITMODE),
    (Operation::StoreRefresh, S_IN | BIT | BITMODE),
];

/// `rpix`.
pub(super) const RESET_PIXELS: Lines = RSTPIX;
/// `where`, beside the cells.
pub(super) const WHERE: Lines = WRF;
/// `WHERE`, beside the bits.
pub(super) const WHERE_BITS: Lines = WRF | PLRB | RID;
/// `all`.
pub(super) const ALL: Lines = SETF | PLRB | RID;
/// `blurset`.
pub(super) const PREPARE_BLUR: Lines = rr(1) | rr(2);
/// First word of `PROP0` and `PROP1`.
pub(super) const READ_PROPAGATION: Lines = S_IN | PLRB | BIT | BITMODE | rr(12);

/// Second word of `PROP0` and `PROP1`.
pub(super) const fn propagate(outside: bool) -> Lines {
    S_IN | FBUS | RID | NB | rr(12) | lr(12) | boundary(outside)
}

/// `DNEWS0` and `DNEWS1`, beside their operands.
pub(super) const fn from_neighbours(outside: bool) -> Lines {
    S_IN | RID | NB | PLRB | BIT | FBUS | boundary(outside)
}

/// What pulls the bus up at the border, if anything.
const fn boundary(outside: bool) -> Lines {
    if outside { PUPD } else { 0 }
}

/// `blur`, `blurh`, `blurv`, beside the cells.
pub(super) const fn diffusion(axes: Axes) -> Lines {
    match axes {
        Axes::Both => SELDIFFE | SELDIFFS,
        Axes::Horizontal => SELDIFFE,
        Axes::Vertical => SELDIFFS,
    }
}

/// `sq`, beside its sources: the squarer, and NEWS as the destination.
pub(super) const SQUARE: Lines = SELSQ | w(4) | sel(4) | SELX;

/// The number of a clock on the wire.
pub(super) const fn clock_number(clock: Clock) -> u8 {
    match clock {
        Clock::Analogue => 0,
        Clock::Digital => 1,
        Clock::Neighbours => 2,
        Clock::Propagation => 3,
    }
}
