//! What only the controller holds, as steps have set it: it is set again when a program goes on that was left for others.

use super::address;
use crate::io::{ArrayIo, Pattern, Region, Size};
use crate::isa::program::{Area, Selection, Set};

/// Something that the controller holds.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    /// The level of `IN`.
    Level(i8),
    /// The PEs where `SELECT` is 1.
    Selectors(Pattern),
    /// The PEs where `RECT` is 1.
    Rectangle(Region),
}

impl Setting {
    pub(super) fn selectors<A: ArrayIo + ?Sized>(array: &A, selection: Selection) -> Result<Self, A::Error> {
        let size: Size = array.size();
        Ok(Self::Selectors(address::pattern(size, selection)?))
    }

    pub(super) fn rectangle<A: ArrayIo + ?Sized>(array: &A, area: Area) -> Result<Self, A::Error> {
        Ok(Self::Rectangle(address::region(array.size(), area)?))
    }

    const fn what(&self) -> Set {
        match self {
            Self::Level(_) => Set::Level,
            Self::Selectors(_) => Set::Selectors,
            Self::Rectangle(_) => Set::Rectangle,
        }
    }

    pub(super) fn send<A: ArrayIo + ?Sized>(&self, array: &mut A) -> Result<(), A::Error> {
        match *self {
            Self::Level(level) => array.set_level(level),
            Self::Selectors(pattern) => array.select_pattern(pattern),
            Self::Rectangle(region) => array.select_region(region),
        }
    }
}

/// The last settings of each kind, in the order in which they were made: the selectors change with the rectangle.
#[derive(Clone, Copy, Default)]
pub(super) struct Settings([Option<Setting>; Set::ALL.len()]);

impl Settings {
    /// Notes what was set last.
    pub(super) fn add(&mut self, setting: Setting) {
        let before = core::mem::take(&mut self.0);
        let others = before.into_iter().flatten().filter(|other| other.what() != setting.what());
        for (place, setting) in self.0.iter_mut().zip(others.chain([setting])) {
            *place = Some(setting);
        }
    }

    /// Sets everything again.
    pub(super) fn send<A: ArrayIo + ?Sized>(&self, array: &mut A) -> Result<(), A::Error> {
        self.0.iter().flatten().try_for_each(|setting| setting.send(array))
    }
}
