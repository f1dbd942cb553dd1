//! The inputs and parameters of a program.

use cain_analysis::owned::SIDE;
use cain_vision::declaration::{Kind, Number};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::scope::Role;
use super::thing::{Record, Thing};
use super::{Lowering, Made};
use crate::vision::tree::{Entry, Expr, Type, Typed};

impl Lowering<'_> {
    /// Declares inputs and parameters; `input` are the levels of the captured picture.
    pub(super) fn entries(&mut self, entries: &[Entry], input: (f64, f64)) {
        let mut captured: Option<Span> = None;
        for entry in entries {
            if entry.kind.is_none() {
                if let Some(first) = captured {
                    let message = format!(
                        "`{}` has no kind, which the captured picture in line {} has already; write its kind, such as `: levels`",
                        entry.name.value,
                        first.start().line
                    );
                    self.wrong(entry.name.at, message);
                    self.bind(&entry.name, Thing::Wrong, Role::Entry);
                    continue;
                }
                captured = Some(entry.name.at);
            }
            let thing = self.entry(entry, input).unwrap_or(Thing::Wrong);
            self.bind(&entry.name, thing, Role::Entry);
        }
    }

    fn entry(&mut self, entry: &Entry, input: (f64, f64)) -> Made<Thing> {
        let name = &entry.name;
        let levels = |(low, high)| Kind::Levels { low, high };
        let plane = match &entry.kind {
            None => Some((levels(input), true)),
            Some(Type { what: Typed::Levels(range), .. }) => {
                let range = match range {
                    None => self.range,
                    Some(range) => self.level_range(range)?,
                };
                Some((levels(range), false))
            }
            Some(Type { what: Typed::Bits, .. }) => Some((Kind::Bits, false)),
            Some(_) => None,
        };
        if let Some((kind, is_captured)) = plane {
            if let Some(default) = &entry.default {
                return Err(self.wrong(default.at, "planes have no default; the host gives them for each frame"));
            }
            let value = self.builder.input(name.value.clone(), kind, is_captured);
            self.note(value, name.at);
            return Ok(match kind {
                Kind::Bits => Thing::Bits(Bits::plane(value)),
                _ => Thing::Levels(Linear::plane(value)),
            });
        }
        let Some(kind) = &entry.kind else { return Ok(Thing::Wrong) };
        match &kind.what {
            Typed::Bool => {
                let default = match &entry.default {
                    None => false,
                    Some(default) => match self.expr(default)? {
                        Thing::Truth(truth) => truth,
                        other => return Err(self.expected("`true` or `false`", &other, "", default.at)),
                    },
                };
                Ok(Thing::Condition(self.parameter(&name.value, (0, 1), default.into(), true, name.at)))
            }
            Typed::Range(range) => {
                let (low, high) = self.number_range(range)?;
                let default = match &entry.default {
                    None => 0.clamp(low, high),
                    Some(default) => {
                        let thing = self.expr(default)?;
                        self.known_within(&thing, low, high, "a default", default.at)?
                    }
                };
                Ok(Thing::Number(self.parameter(&name.value, (low, high), default, false, name.at)))
            }
            Typed::Region => {
                if let Some(default) = &entry.default {
                    return Err(self.wrong(
                        default.at,
                        "a region has no default; it is the whole array unless the host sets another one",
                    ));
                }
                let side = i64::try_from(SIDE).unwrap_or(i64::MAX);
                let parts = Record::Region.fields().iter().enumerate().map(|(place, field)| {
                    let (most, default) = if place < 2 { (side - 1, 0) } else { (side, side) };
                    let name_of = format!("{}.{field}", name.value);
                    Thing::Number(self.parameter(&name_of, (0, most), default, false, name.at))
                });
                let parts = parts.collect();
                Ok(Thing::Record(Record::Region, parts))
            }
            Typed::Number => Err(self.wrong(kind.at, "a parameter has a range, such as `0..=127`")),
            _ => Err(self.wrong(kind.at, "numbers in each PE are no inputs; give their bits")),
        }
    }

    fn parameter(&mut self, name: &str, range: (i64, i64), default: i64, is_bool: bool, at: Span) -> Number {
        let value = self.builder.parameter(name, range, default, is_bool);
        Number::Value(self.note(value, at))
    }

    /// A range of levels.
    #[expect(clippy::cast_precision_loss, reason = "levels are small")]
    fn level_range(&mut self, range: &Expr) -> Made<(f64, f64)> {
        let (low, high) = self.number_range(range)?;
        let (low, high) = (low as f64, high as f64);
        if low < self.range.0 || high > self.range.1 {
            let message = format!("registers hold levels from {} to {}", self.range.0, self.range.1);
            return Err(self.wrong(range.at, message));
        }
        Ok((low, high))
    }
}
