//! The forms of an instruction set, arranged by their shifts.

use cain_isa::Displacement;

use super::forms::{Forms, Shape};
use crate::engine::image::Image;
use crate::engine::step::FormId;

/// The forms of an instruction set. Lists are indexed by the number of the shift; an entry is `None` if the set has no
/// such form.
pub(crate) struct Machine {
    /// All displacements of forms, and their opposites.
    pub(crate) shifts: Vec<Shift>,
    /// The forms S·x, except the one that only copies.
    pub(crate) moves: Vec<Option<FormId>>,
    pub(crate) adds: Vec<Option<FormId>>,
    pub(crate) subtracts: Vec<Option<FormId>>,
    /// The forms S·x − x in one instruction, where that is not zero.
    pub(crate) differences: Vec<Option<FormId>>,
    pub(crate) copy: FormId,
    pub(crate) negate: FormId,
    pub(crate) add3: Option<FormId>,
    /// The form that only halves; also `None` if a division makes the half and more.
    pub(crate) halve: Option<FormId>,
    pub(crate) divide: Option<FormId>,
    /// The farthest that an instruction moves a value along an axis, in PEs.
    pub(crate) reach: u32,
}

/// A shift S.
pub(crate) struct Shift {
    pub(crate) image: Image,
    /// The number of the opposite shift.
    pub(crate) opposite: usize,
    /// The inverse of S − 1.
    pub(crate) undo_difference: Option<Image>,
}

impl Machine {
    /// The arranged forms; `None` if the proofs of the [exhaustive search](super::exhaust) do not cover the set.
    pub(crate) fn of(forms: &Forms) -> Option<Self> {
        let displacements = displacements(forms);
        let unmoved = displacements.iter().position(|&displacement| displacement == Displacement::ZERO)?;
        let shifts = displacements
            .iter()
            .map(|&displacement| Shift::new(&displacements, displacement))
            .collect::<Option<Vec<_>>>()?;
        let by_shift = |shape: Shape| -> Vec<Option<FormId>> {
            let form_at = |displacement: Displacement| {
                forms.shaped(shape).find(|(_, form)| form.displacement == displacement).map(|(id, _)| id)
            };
            displacements.iter().map(|&displacement| form_at(displacement)).collect()
        };
        let single = |shape: Shape| forms.shaped(shape).next().map(|(id, _)| id);
        let mut moves = by_shift(Shape::Move);
        let (adds, subtracts) = (by_shift(Shape::Add), by_shift(Shape::Subtract));
        let (add3, divide) = (single(Shape::Add3), single(Shape::Divide));

        let distinct_summands =
            [Shape::Add, Shape::Add3].iter().all(|&shape| forms.shaped(shape).all(|(_, form)| !form.repeats));
        let movable =
            (0..displacements.len()).all(|s| moves[s].is_some() || (adds[s].is_none() && subtracts[s].is_none()));
        let sums = (add3.is_none() && divide.is_none()) || (adds[unmoved].is_some() && subtracts[unmoved].is_some());
        if !(distinct_summands && movable && sums) {
            return None;
        }
        let copy = moves[unmoved].take()?;
        let mut differences = subtracts.clone();
        differences[unmoved] = None;
        for difference in &mut differences {
            *difference = difference.filter(|&id| forms.get(id).repeats);
        }
        let halve = single(Shape::Halve).filter(|_| divide.is_none());
        let negate = single(Shape::Negate)?;
        let reach = displacements
            .iter()
            .map(|displacement| displacement.x.unsigned_abs().max(displacement.y.unsigned_abs()))
            .max();
        let reach = u32::from(reach.unwrap_or(0));
        Some(Self { shifts, moves, adds, subtracts, differences, copy, negate, add3, halve, divide, reach })
    }
}

impl Shift {
    fn new(displacements: &[Displacement], displacement: Displacement) -> Option<Self> {
        let image = Image::of_shift(displacement);
        let opposite = displacements.iter().position(|&other| other == -displacement)?;
        let undo_difference = (image != Image::ONE).then(|| (image - Image::ONE).inverse());
        let sound = undo_difference.is_some() || displacement == Displacement::ZERO;
        sound.then_some(Self { image, opposite, undo_difference })
    }
}

fn displacements(forms: &Forms) -> Vec<Displacement> {
    let mut displacements: Vec<Displacement> =
        forms.iter().flat_map(|form| [form.displacement, -form.displacement]).collect();
    displacements.sort_unstable();
    displacements.dedup();
    displacements
}
