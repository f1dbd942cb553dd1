//! Numbers on the controller as sums of numbers that are read out. Slices, sums, means, concatenations and constant
//! factors cost nothing there, because the next dense layer absorbs them.

use std::collections::BTreeMap;

use cain_network::Window;

use crate::axes::{self, Slice};
use crate::index::{ravel, unravel};
use crate::phases::Phases;
use crate::tensor::{Tensor, broadcast, count, repeated};

/// The most terms that the numbers of a tensor may have together.
const MOST: usize = 1 << 20;

/// A number that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// The sum of a part of a channel of a layer.
    Sum { maps: usize, channel: usize, rows: (usize, usize), columns: (usize, usize) },
    /// A number of a layer on the controller.
    Number { layer: usize, index: usize },
}

impl Element {
    pub(super) fn sum(maps: usize, channel: usize, window: Window) -> Self {
        Self::Sum { maps, channel, rows: (window.top, window.height), columns: (window.left, window.width) }
    }
}

/// A weighted sum of numbers that exist, and a constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) terms: BTreeMap<Element, f64>,
    pub(super) constant: f64,
}

impl Form {
    pub(super) fn of(element: Element) -> Self {
        Self { terms: BTreeMap::from([(element, 1.0)]), constant: 0.0 }
    }

    pub(super) fn affine(&self, scale: f64, shift: f64) -> Self {
        let terms = self.terms.iter().map(|(element, weight)| (*element, weight * scale)).collect();
        Self { terms, constant: self.constant * scale + shift }
    }

    fn add(&mut self, other: &Self, scale: f64) {
        for (element, weight) in &other.terms {
            *self.terms.entry(*element).or_default() += weight * scale;
        }
        self.constant += other.constant * scale;
    }
}

/// An array of such sums, the last index running fastest. The first index is that of the picture, of which there is
/// one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forms {
    pub(super) dims: Vec<usize>,
    pub(super) forms: Vec<Form>,
}

impl Forms {
    /// The numbers that a layer makes.
    pub(super) fn of_layer(layer: usize, count: usize) -> Self {
        let forms = (0..count).map(|index| Form::of(Element::Number { layer, index })).collect();
        Self { dims: vec![1, count], forms }
    }

    /// Numbers that do not depend on the picture.
    pub(super) fn of_constant(tensor: &Tensor) -> Self {
        let form = |value: &f64| Form { terms: BTreeMap::new(), constant: *value };
        Self { dims: tensor.dims.clone(), forms: tensor.values.iter().map(form).collect() }
    }

    /// Adds a multiple of another array; sizes of 1 are repeated.
    pub(super) fn add(&self, other: &Self, scale: f64) -> Result<Self, String> {
        let dims = fitting(&[&self.dims, &other.dims])?;
        let places = repeated(&self.dims, &dims).zip(repeated(&other.dims, &dims));
        let sum = |(mine, theirs): (usize, usize)| {
            let mut sum = self.forms.get(mine)?.clone();
            sum.add(other.forms.get(theirs)?, scale);
            Some(sum)
        };
        Self { forms: places.filter_map(sum).collect(), dims: dims.clone() }.checked()
    }

    /// Scales and shifts by constants.
    pub(super) fn affine(&self, scale: &Tensor, shift: &Tensor) -> Result<Self, String> {
        let dims = fitting(&[&self.dims, &scale.dims, &shift.dims])?;
        let constants = repeated(&scale.dims, &dims).zip(repeated(&shift.dims, &dims));
        let form = |(own, (factor, summand)): (usize, (usize, usize))| {
            Some(self.forms.get(own)?.affine(*scale.values.get(factor)?, *shift.values.get(summand)?))
        };
        let forms = repeated(&self.dims, &dims).zip(constants).filter_map(form).collect();
        Self { forms, dims: dims.clone() }.checked()
    }

    /// Sums or means over some axes.
    pub(super) fn sum(&self, axes: &[usize], mean: bool, keep: bool) -> Result<Self, String> {
        let rank = self.dims.len();
        let reduced = |axis: usize| axes.contains(&axis);
        let dims: Vec<usize> =
            self.dims.iter().enumerate().map(|(axis, size)| if reduced(axis) { 1 } else { *size }).collect();
        let summed: usize =
            self.dims.iter().enumerate().filter(|(axis, _)| reduced(*axis)).map(|(_, size)| size).product();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let scale = if mean { 1.0 / summed.max(1) as f64 } else { 1.0 };
        let count: usize = dims.iter().product();
        let mut forms = vec![Form { terms: BTreeMap::new(), constant: 0.0 }; count];
        for (place, form) in self.forms.iter().enumerate() {
            let mut index = unravel(place, &self.dims);
            for axis in axes {
                if let Some(index) = index.get_mut(*axis) {
                    *index = 0;
                }
            }
            if let Some(sum) = forms.get_mut(ravel(&index, &dims)) {
                sum.add(form, scale);
            }
        }
        let dims = if keep {
            dims
        } else {
            (0..rank).filter(|axis| !reduced(*axis)).filter_map(|axis| dims.get(axis).copied()).collect()
        };
        Self { dims, forms }.checked()
    }

    /// Concatenates arrays along an axis.
    pub(super) fn concatenate(parts: &[Self], axis: usize) -> Result<Self, String> {
        let first = parts.first().ok_or("nothing is concatenated")?;
        let mut dims = first.dims.clone();
        let fits = |part: &Self| {
            part.dims.len() == dims.len()
                && part.dims.iter().zip(&dims).enumerate().all(|(i, (size, first))| i == axis || size == first)
        };
        if axis >= dims.len() || !parts.iter().all(fits) {
            return Err("the sizes of what is concatenated do not fit".to_owned());
        }
        let length = |part: &Self| part.dims.get(axis).copied().unwrap_or(0);
        let total = parts.iter().map(length).sum();
        let inner: usize = dims.iter().skip(axis + 1).product();
        let outer: usize = dims.iter().take(axis).product();
        let mut forms = Vec::new();
        for row in 0..outer {
            for part in parts {
                let chunk = length(part) * inner;
                forms.extend(part.forms.iter().skip(row * chunk).take(chunk).cloned());
                if forms.len() > MOST {
                    return Err(too_many());
                }
            }
        }
        if let Some(size) = dims.get_mut(axis) {
            *size = total;
        }
        Self { dims, forms }.checked()
    }

    /// A part of an axis.
    pub(super) fn slice(&self, slice: &Slice) -> Self {
        self.taken(axes::sliced(&self.dims, slice))
    }

    /// The array with its axes in another order.
    pub(super) fn transposed(&self, order: &[usize]) -> Self {
        self.taken(axes::reordered(&self.dims, order))
    }

    /// The given places along an axis.
    pub(super) fn chosen(&self, axis: usize, places: &[usize]) -> Result<Self, String> {
        let others = self.dims.iter().enumerate().filter(|(other, _)| *other != axis);
        let count = others.fold(places.len(), |count, (_, size)| count.saturating_mul(*size));
        if count > MOST {
            return Err(too_many());
        }
        let (places, dims) = axes::chosen(&self.dims, axis, places);
        let terms = places.iter().filter_map(|place| self.forms.get(*place)).map(|form| form.terms.len() + 1);
        if terms.sum::<usize>() > MOST { Err(too_many()) } else { Ok(self.taken((places, dims))) }
    }

    /// Channels that take rows and columns of those of maps.
    pub(super) fn of_phases(&self, phases: &Phases, (height, width): (usize, usize)) -> Self {
        self.taken((phases.places(&self.dims, (height, width)), vec![1, phases.all.len(), height, width]))
    }

    fn taken(&self, (places, dims): (Vec<usize>, Vec<usize>)) -> Self {
        Self { dims, forms: places.into_iter().filter_map(|place| self.forms.get(place).cloned()).collect() }
    }

    /// The array with other sizes.
    pub(super) fn reshaped(&self, dims: Vec<usize>) -> Result<Self, String> {
        if dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)) != Some(self.forms.len()) {
            return Err(format!("{} numbers do not fit the sizes {dims:?}", self.forms.len()));
        }
        Ok(Self { dims, forms: self.forms.clone() })
    }

    fn checked(self) -> Result<Self, String> {
        let terms: usize = self.forms.iter().map(|form| form.terms.len() + 1).sum();
        if terms > MOST { Err(too_many()) } else { Ok(self) }
    }
}

fn too_many() -> String {
    format!("more than {MOST} terms of numbers on the controller")
}

/// The common sizes of arrays that are combined; fails if they are too large.
fn fitting(all: &[&[usize]]) -> Result<Vec<usize>, String> {
    let dims = broadcast(all)?;
    if count(&dims).is_none_or(|count| count > MOST) { Err(too_many()) } else { Ok(dims) }
}
