//! Exhaustive search for short programs on values.
//!
//! It knows values but no registers: that makes it possible to search programs of five and more instructions, and
//! windows of longer ones. Everything that depends on registers, including zeros and copies of values, is left to
//! [`short`](crate::engine::short), which reaches three instructions.
//!
//! **Theorem.** If [`exhaust`] answers [`Answer::None`], no program of `most` or fewer instructions of the set makes
//! the wanted values from the known ones, on a machine with any number of registers. If it answers
//! [`Answer::Program`], no shorter program does. If it answers [`Answer::Undecided`], no program has fewer than
//! `at_least` instructions.
//!
//! # The model
//!
//! A state is the set of known values, with the number of registers that hold each of them. Instructions add values and
//! take none away, and registers do not run out. A value that is added to itself has to be in two registers
//! ([`Form::takes`](super::forms::Form::takes)); a `mov` without a shift gives it one more. A division of x adds one
//! register with x/2, two with −x/2 and one with x: `diva` leaves −x/2 twice but overwrites x, `div` with four operands
//! leaves x in one more register. Whatever a program of the machine has in its registers at some point is known at that
//! point in the model, so the machine cannot do what the model rules out. Conversely a program of the model runs on a
//! machine with enough registers, unless it needs both things that `diva` and `div` do with one division.
//!
//! Zero is never an operand: where one source is zero, another form of the set does the same ([`machine`](super::machine) checks that
//! it is there), so a zero and what made it can be left out.
//!
//! # What is not tried
//!
//! Lengths are tried in order, so the program to be found is always a shortest one: nothing in it can be left out, and
//! no two of its instructions can be replaced by one. A *completion* of a point of the search is the rest of such a
//! program. An instruction of a completion can come next if all its operands are known, because values stay. Call this
//! *moving*.
//!
//! - *Partial-order reduction with sleep sets* ([`search`]). All candidates at a point are put in a row, after those of
//!   the previous point. Once the i-th is taken, those before it are not tried further down. For a completion let i be
//!   the first in the row that it contains; by moving it can be taken now, and the others come later in the row or are
//!   not possible yet. A value that is known or already in the row is not put there again: if it is needed, the
//!   instruction in the row makes it. (Should a division make a value that some later instruction of the completion
//!   makes too, a copy can take the place of the latter.)
//! - *Candidates that lead nowhere* ([`prune`]). If taking an instruction next breaks a bound, no completion contains
//!   it by moving, so it leaves the row for good.
//! - *Copies and divisions, once per value.* Three registers with one value a serve only for a + a + a; a + a and 2a +
//!   a, none of them larger than 3a, can replace the second copy and this sum. With x and −x/2 known, a second x/2 is
//!   of no use (S·x, x + b, x + x/2 come from x), nor is a third −x/2 (−x/2 − x), nor −x/2 twice together with b (b −
//!   x). Where a set has a division with both signs, `divq` makes only a part of what that division makes.
//! - *Sizes* ([`size`]). The number of terms, the number of signed binary digits of all coefficients, and the sum of
//!   absolute coefficients at most add up in a sum, and no shift or sign changes them. Call everything but a division a
//!   combination, and let a, b, c be the three largest known values. A combination makes at most the larger of 2a and
//!   a + b + c, which becomes the largest, followed by a and b. (Two operands that are one value in one register can only
//!   be subtracted, which gives 2a.) Halving keeps the first two measures and halves the third. By the second measure a
//!   division turns a, b, c into a, a, a at most, by the third into a, a, max(b, a/2). For the first measure supports
//!   are counted instead of values, because a sum of values with the same support has no larger support: so a division
//!   changes nothing.
//! - *Denominators* ([`state`]). The denominator that a combination makes divides that of one of its operands; a
//!   division at most doubles it. So at least as many divisions are still to come as the largest wanted denominator has
//!   factors of two more than the largest known one. Apart from those, every missing value needs a combination unless
//!   it is ±2^k times something known or another wanted value, because a division gives nothing else.
//! - *Divisions first.* Where endings are looked up, divisions go to the front of every row. Once a combination is
//!   taken, only its result and what is made later are divided, not what was known before.
//! - *Finest terms* ([`residue`]). Let 2^d be the largest denominator of all known values, and let the residue of a
//!   value be its terms with this denominator, modulo 2: a polynomial over the integers modulo 2, and zero for values
//!   of smaller denominators. Combinations add residues and shift them. If only one division makes denominators of 2^d,
//!   it makes a single residue r, with either sign, so that all other residues are multiples of r. If later divisions
//!   make 2^(d+1) and so on, they divide values with such residues, so their residues are multiples of r too. So if r
//!   is not a factor of the residue of the one wanted value, another division that makes 2^d must come, in addition to
//!   those that its denominator takes.
//! - *The last two combinations* ([`endings`]). Let D be the number of divisions that must still come, and let at most
//!   D + 2 instructions be left, so that at most two of them are combinations. If the next instruction is a
//!   combination, with the result w, then divisions go on with w alone until the other combination has made something:
//!   they leave ±w/2^i, and the last of them is used. After it, divisions halve its result k times. If no division is
//!   left over, i + k = D, and the second combination makes ±2^k times the wanted value from ±w/2^i and what is known.
//!   That determines what w can be, as for the last two instructions below; other combinations are not tried. If w was
//!   in the row before, it uses nothing that the latest instruction made, so the second combination must.
//! - *Producers.* Each missing value is the result of an instruction, its producer. Only a division has two results
//!   that differ from its operand, one the negative of the other.
//! - *Unused results.* In a shortest program every instruction makes something that no other does: a wanted value, or
//!   what a source of a later instruction reads; and no two instructions serve the same source. With r instructions
//!   left there are at most 3r sources, and each of the r instructions that does not make one of m wanted values needs
//!   one of them itself. So the results of at most 2r + min(r, m) instructions can be unused so far.
//! - *Symmetries*. If a rotation or reflection leaves the query unchanged and maps the first instruction of a program
//!   to one that comes earlier in the row, then the image of the program was found from there.
//!
//! # Meet in the middle
//!
//! The last two instructions, and the last two combinations with divisions around them, are searched from both sides
//! ([`finish`]). Each instruction that makes the last missing value with the help of one unknown value is solved for
//! that value, and what one instruction can make is looked up among the solutions. One of the two instructions has to
//! use what the instruction before them made. What the second one uses of the first is a single result, or the copy
//! that it made, or both halves, or two registers of a division's operand or of its negative half.
//!
//! # In parts
//!
//! A walk can be interrupted at any point and resumed ([`parts`]): the choice that was followed at each point tells
//! what is left, and what was tried before a choice does not depend on what comes after it. What is left falls into
//! parts, which are distributed over threads.
//!
//! # Exactness
//!
//! All this is done on images of values ([`image`](crate::engine::image)), where shifts, halves and the division by a
//! binomial are multiplications. The image of a program is a program of images, so nothing is missed; and whenever two
//! values seem to be equal, or the last two instructions seem to make the wanted value, their terms decide. The units
//! are so small that all values of a program of the given length are integers, however often it halves. If a
//! coefficient overflows, nothing is claimed. The order of everything depends only on the query.

mod candidates;
mod endings;
mod expand;
mod finish;
mod parts;
mod prune;
mod residue;
mod search;
mod size;
mod start;
mod state;
mod steps;
mod symmetry;
mod table;
mod values;
mod wanted;

#[cfg(test)]
mod tests;

use super::forms::Forms;
use crate::engine::terms::valuation;
use crate::engine::values::{Answer, Query, Unfinished, ValueProgram};
use parts::Walked;

/// Finds a shortest program, or proves that there is none.
///
/// `take` takes a node of the budget for a fixed amount of work, such as trying one by one the instructions that are
/// possible next (up to some hundred); if it refuses, the answer is undecided. What was tried until then is recorded in
/// `unfinished`, so that a search for the same values does not try it again.
pub(crate) fn exhaust(
    forms: &Forms,
    query: &Query<'_>,
    unfinished: &mut Unfinished,
    take: &mut dyn FnMut() -> bool,
) -> Answer {
    for length in query.least.max(unfinished.length)..=query.most {
        match parts::walk((forms, query), length, unfinished.at(length), take) {
            Walked::Program(program) => return Answer::Program(program),
            Walked::Left | Walked::Undecided => return Answer::Undecided { at_least: length },
            Walked::Nothing => {}
        }
    }
    Answer::None
}

impl ValueProgram {
    /// The same program in the coarsest units in which all values are integers.
    fn reduced(mut self) -> Self {
        let values = self.steps.iter().flat_map(|step| step.operands.iter().chain(&step.results));
        let spare = values.map(|value| valuation(value)).min().unwrap_or(self.finer).min(self.finer);
        self.finer -= spare;
        for value in self.steps.iter_mut().flat_map(|step| step.operands.iter_mut().chain(&mut step.results)) {
            for term in value {
                term.1 >>= spare;
            }
        }
        self
    }
}
