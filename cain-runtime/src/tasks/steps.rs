//! Programs of a controller's steps that may be left on the way: networks, and networks in the pixels.

use crate::io::ArrayIo;
use crate::isa::network::{Area, Step};
use crate::isa::{Instruction, Switches, Word, in_pixel};
use crate::network::Place;

/// [`network::run`](crate::network::run) for a network with switch points: on a [`Context`](super::Context), others may run on
/// the way. Its boundaries are those of `cain_search::switches::Steps`.
pub fn run_network<'s, A, L, W, I>(
    array: &mut A,
    steps: I,
    switches: &[Switches<'_>],
    places: &[Place],
    count: usize,
    numbers: &mut [f64],
) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    L: AsRef<[Instruction]> + 's,
    W: AsRef<[Area]> + 's,
    I: IntoIterator<Item = &'s Step<L, W>, IntoIter: Clone>,
{
    run(array, &steps.into_iter(), switches, |array, step, number| match step {
        Step::Execute(listing) => {
            listing.as_ref().get(number).map_or(Ok(()), |&instruction| array.execute(instruction))
        }
        _ => crate::network::run(array, [step], places, count, numbers),
    })
}

/// [`in_pixel::run`](crate::in_pixel::run) for a program with switch points: on a [`Context`](super::Context), others may run on
/// the way. How many scores there are.
pub fn run_in_pixel<'s, A, L, I>(
    array: &mut A,
    steps: I,
    switches: &[Switches<'_>],
    scores: &mut [i32],
) -> Result<usize, A::Error>
where
    A: ArrayIo + ?Sized,
    L: AsRef<[Word]> + 's,
    I: IntoIterator<Item = &'s in_pixel::Step<L>, IntoIter: Clone>,
{
    let mut count = 0;
    run(array, &steps.into_iter(), switches, |array, step, number| {
        if let in_pixel::Step::Execute(words) = step {
            return words.as_ref().get(number).map_or(Ok(()), |&word| array.issue(word));
        }
        count += crate::in_pixel::run(array, [step], scores.get_mut(count..).unwrap_or_default())?;
        Ok(())
    })?;
    Ok(count)
}

/// A step as boundaries see it.
trait Pieces {
    /// How many pieces it has: its instructions, or itself.
    fn count(&self) -> usize;

    /// What it sets in the controller, if it does: any small number for each register of the controller.
    fn register(&self) -> Option<usize>;
}

/// The registers of a controller that steps set.
const REGISTERS: usize = 3;

impl<L: AsRef<[Instruction]>, W> Pieces for Step<L, W> {
    fn count(&self) -> usize {
        if let Self::Execute(listing) = self { listing.as_ref().len() } else { 1 }
    }

    fn register(&self) -> Option<usize> {
        match self {
            Self::Level(_) | Self::Compensation { .. } => Some(0),
            // The rectangle is not used any more after the step.
            Self::Execute(_) | Self::Outside(..) | Self::Read(_) | Self::Events(_) => None,
        }
    }
}

impl<L: AsRef<[Word]>> Pieces for in_pixel::Step<L> {
    fn count(&self) -> usize {
        if let Self::Execute(words) = self { words.as_ref().len() } else { 1 }
    }

    fn register(&self) -> Option<usize> {
        match self {
            Self::Level(_) => Some(0),
            Self::Select(_) => Some(1),
            Self::Region(_) => Some(2),
            Self::Execute(_) | Self::Sum(_) | Self::Count(_) => None,
        }
    }
}

/// Carries out pieces of steps, with a boundary before each of them and one at the end. A program that was left goes on when
/// the controller holds what it held there.
fn run<'s, A, S>(
    array: &mut A,
    steps: &(impl Iterator<Item = &'s S> + Clone),
    switches: &[Switches<'_>],
    mut carry_out: impl FnMut(&mut A, &'s S, usize) -> Result<(), A::Error>,
) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    S: Pieces + 's,
{
    let mut at = 0;
    'left: loop {
        let mut first = 0;
        let mut is_back = at > 0;
        let mut set = [None; REGISTERS];
        for (number, step) in steps.clone().enumerate() {
            let end = first + step.count();
            if end <= at {
                if let Some(register) = step.register() {
                    set[register] = Some((number, step));
                }
                first = end;
                continue;
            }
            if core::mem::take(&mut is_back) {
                set.sort_unstable_by_key(|set| set.map(|(number, _)| number));
                set.iter().flatten().try_for_each(|(_, step)| carry_out(array, step, 0))?;
            }
            while at < end {
                if let Some(resume) = boundary(array, switches, at)? {
                    at = resume;
                    continue 'left;
                }
                carry_out(array, step, at - first)?;
                at += 1;
            }
            first = end;
        }
        match boundary(array, switches, at)? {
            Some(resume) => at = resume,
            None => return Ok(()),
        }
    }
}

fn boundary<A: ArrayIo + ?Sized>(
    array: &mut A,
    switches: &[Switches<'_>],
    at: usize,
) -> Result<Option<usize>, A::Error> {
    let at = u32::try_from(at).unwrap_or(u32::MAX);
    Ok(array.boundary(switches, at)?.map(|resume| resume as usize))
}
