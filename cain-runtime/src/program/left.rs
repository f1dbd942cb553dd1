//! Steps that others may interrupt: where they are left, and how they go on.

use super::settings::Settings;
use super::{Pictures, Real};
use crate::io::ArrayIo;
use crate::isa::Switches;
use crate::isa::program::{Body, Kinds, StepOf, Storage};

/// What the controller holds at a boundary. No step after it, up to where the program is now, happens only once, so that steps
/// alone tell what the controller holds from there on.
#[derive(Clone, Copy)]
struct Known {
    boundary: usize,
    settings: Settings,
}

impl<const KINDS: u32, N: Real> Pictures<'_, KINDS, N> {
    /// Carries out the steps of a loop or of a decision, whose first boundary has this number.
    pub(super) fn body<A: ArrayIo + ?Sized, S: Storage>(
        &mut self,
        array: &mut A,
        body: &Body<S>,
        first: usize,
    ) -> Result<(), A::Error> {
        self.steps(array, body.steps(), first)
    }

    /// Carries out steps whose first boundary has this number. If the array was left for others at one of the boundaries, they
    /// go on where it tells.
    pub(super) fn steps<'s, A, S>(
        &mut self,
        array: &mut A,
        steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
        first: usize,
    ) -> Result<(), A::Error>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        let mut steps = steps.into_iter();
        if KINDS & Kinds::SWITCHES == 0 || self.switches.is_empty() {
            return steps.try_for_each(|step| self.step(array, step, first));
        }
        let mut known = Known { boundary: first, settings: self.settings };
        let mut at = first;
        while let Some(resume) = self.pieces(array, &steps, (first, at), &mut known)? {
            at = resume;
            self.settings = known.settings;
            self.set_before(array, &steps, first, (known.boundary, at))?;
            self.settings.send(array)?;
        }
        Ok(())
    }

    /// Carries out pieces of steps, whose first boundary is given, from a boundary on. At each boundary the array may leave them,
    /// and tells where they go on.
    fn pieces<'s, A: ArrayIo + ?Sized, S: Storage>(
        &mut self,
        array: &mut A,
        steps: &(impl Iterator<Item = &'s StepOf<S>> + Clone),
        (mut first, mut at): (usize, usize),
        known: &mut Known,
    ) -> Result<Option<usize>, A::Error> {
        for step in steps.clone() {
            let end = first + step.pieces();
            while at < end {
                if let Some(resume) = boundary(array, self.switches, at)? {
                    return Ok(Some(resume));
                }
                if let Some(listing) = step.listing() {
                    listing.get(at - first).map_or(Ok(()), |&instruction| array.execute(instruction))?;
                    at += 1;
                    continue;
                }
                self.step(array, step, at)?;
                at = end;
                if step.happens_once() {
                    *known = Known { boundary: end, settings: self.settings };
                }
            }
            first = end;
        }
        boundary(array, self.switches, at)
    }

    /// Notes what steps between two boundaries set.
    fn set_before<'s, A: ArrayIo + ?Sized, S: Storage>(
        &mut self,
        array: &A,
        steps: &(impl Iterator<Item = &'s StepOf<S>> + Clone),
        mut first: usize,
        (from, to): (usize, usize),
    ) -> Result<(), A::Error> {
        for step in steps.clone() {
            let end = first + step.pieces();
            if first >= from
                && end <= to
                && let Some(setting) = self.setting(array, step)?
            {
                self.settings.add(setting);
            }
            first = end;
        }
        Ok(())
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
