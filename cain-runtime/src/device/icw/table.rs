//! The bits of a control word: which line each operand and each instruction drives.
//!
//! They are listed only here; encoding and decoding both use this table. Source: SCAMP-5d library headers (University
//! of Manchester, 2020). The lines of a diffusion and of the squarer are named there, but no listing of the words
//! `blur`, `blurh`, `blurv` and `sq` is public: it is derived from the names that they drive these lines in addition to
//! those of a transfer.

use crate::isa::{Axes, Bit, Cell, Clock, Direction, Operation, Reg};

/// A set of the 80 lines; line n is bit n.
pub(super) type Lines = u128;

/// The same as it is sent: line n is bit n mod 16 of word n div 16.
pub(super) type Words = [u16; 5];

/// The lines of words.
pub(super) fn lines(words: Words) -> Lines {
    words.into_iter().rev().fold(0, |lines, word| lines << 16 | Lines::from(word))
}

/// The words of a set of lines.
pub(super) const fn words(lines: Lines) -> Words {
    let [a, b, c, d, e, f, g, h, i, j, ..] = lines.to_le_bytes();
    [
        u16::from_le_bytes([a, b]),
        u16::from_le_bytes([c, d]),
        u16::from_le_bytes([e, f]),
        u16::from_le_bytes([g, h]),
        u16::from_le_bytes([i, j]),
    ]
}

macro_rules! lines {
    ($($name:ident = $number:literal),* $(,)?) => {
        $(const $name: Lines = 1 << $number;)*
    };
}

lines! {
    SELSQ = 0, SELPIX = 1, RSTPIX = 2, SELDIFFE = 3, SELDIFFS = 4, S_IN = 5, RANA = 6,
    SELS = 7, SELE = 9, SELX = 10, SELN = 12, SELW = 29,
    RID = 11, WRF = 20, SETF = 28, PUPD = 30, FBUS = 31,
    NBIT = 58, NB = 59, PLWB = 60, PLRB = 61, BIT = 62, BITMODE = 63,
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

/// The number of the line that reads the digital register: RR1 to RR12, and RFL for `R0`.
pub(super) const fn reading(number: u8) -> u8 {
    if number == 0 { 57 } else { 31 + number }
}

const fn rr(number: u8) -> Lines {
    1 << reading(number)
}

/// The number of the line that loads the digital register: LR1 to LR12, and LFL for `R0`.
pub(super) const fn loading(number: u8) -> u8 {
    if number == 0 { 56 } else { 43 + number }
}

/// The lines of one analogue cell.
pub(super) struct CellLines {
    pub(super) cell: Cell,
    /// The lines driven, in addition to `select`, if the cell is a destination; none for cells that are only sources.
    pub(super) write: Lines,
    /// The lines driven whenever the cell is on the bus.
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
        Bit::Reg(register) => rr(register.number()),
        Bit::Flag => RANA,
        Bit::Select => WR,
        Bit::Rect => WR | S0_LEFT | S0_BOT,
    }
}

/// The line that loads the digital register with this number.
pub(super) const fn load(number: u8) -> Lines {
    1 << loading(number)
}

/// The words that write digital registers within a PE, each with the lines that it drives in addition to its operands'.
///
/// `CLR` comes before `OR`, because it is `OR` without a source.
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

/// The lines of `rpix`.
pub(super) const RESET_PIXELS: Lines = RSTPIX;
/// The lines of `where`, in addition to the cells.
pub(super) const WHERE: Lines = WRF;
/// The lines of `WHERE`, in addition to the bits.
pub(super) const WHERE_BITS: Lines = WRF | PLRB | RID;
/// The lines of `all`.
pub(super) const ALL: Lines = SETF | PLRB | RID;
/// The lines of `blurset`.
pub(super) const PREPARE_BLUR: Lines = rr(1) | rr(2);
/// The lines of the first word of `PROP0` and `PROP1`.
pub(super) const READ_PROPAGATION: Lines = S_IN | PLRB | BIT | BITMODE | rr(12);

/// The lines of the second word of `PROP0` and `PROP1`.
pub(super) const fn propagate(outside: bool) -> Lines {
    S_IN | FBUS | RID | NB | rr(12) | load(12) | boundary(outside)
}

/// The lines of `DNEWS0` and `DNEWS1`, in addition to their operands.
pub(super) const fn from_neighbours(outside: bool) -> Lines {
    S_IN | RID | NB | PLRB | BIT | FBUS | boundary(outside)
}

/// The line that pulls the bus up at the border, if it is pulled up.
const fn boundary(outside: bool) -> Lines {
    if outside { PUPD } else { 0 }
}

/// The lines of `blur`, `blurh` and `blurv`, in addition to the cells.
pub(super) const fn diffusion(axes: Axes) -> Lines {
    match axes {
        Axes::Both => SELDIFFE | SELDIFFS,
        Axes::Horizontal => SELDIFFE,
        Axes::Vertical => SELDIFFS,
    }
}

/// The lines of `sq`, in addition to its sources: the squarer, and NEWS as the destination.
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

/// The lines of a cell as words.
pub(super) struct CellWords {
    pub(super) cell: Cell,
    /// The lines driven if the cell is a destination.
    pub(super) written: Words,
    /// The lines driven if it is a source.
    pub(super) read: Words,
}

/// [`CELLS`] as words.
pub(super) static CELL_WORDS: [CellWords; CELLS.len()] = {
    let mut all = [const { CellWords { cell: Cell::News, written: words(0), read: words(0) } }; CELLS.len()];
    let mut i = 0;
    while i < CELLS.len() {
        let CellLines { cell, write, select } = CELLS[i];
        // A destination is connected like a source, and written in addition.
        all[i] = CellWords { cell, written: words(write | select), read: words(select) };
        i += 1;
    }
    all
};

/// [`LOGIC`] as words.
pub(super) static LOGIC_WORDS: [(Operation, Words); LOGIC.len()] = {
    let mut all = [(Operation::Set, words(0)); LOGIC.len()];
    let mut i = 0;
    while i < LOGIC.len() {
        all[i] = (LOGIC[i].0, words(LOGIC[i].1));
        i += 1;
    }
    all
};
