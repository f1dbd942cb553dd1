//! Steps as statements.

use cain_analysis::owned::{self, ReadOut, SIDE, Step, merged};
use cain_isa::compensated_level;
use cain_isa::program::{Found, Held};

use super::formula::expression;
use super::interface::Refused;
use super::interval::Sort;
use super::naming::Names;
use super::ranges::Ranges;
use super::text::{block, braced, indented};

/// Writes the steps of a function.
pub(super) struct Writer<'i> {
    /// Whether the function has numbers: otherwise it cannot return any.
    pub(super) has_numbers: bool,
    pub(super) names: &'i Names<'i>,
    pub(super) ranges: &'i Ranges,
    /// The constant errors of the chip, in DN.
    pub(super) offset: [f32; 3],
}

impl Writer<'_> {
    /// Steps as statements; the error tells of a step that is none.
    pub(super) fn body(&self, steps: &[Step]) -> Result<Vec<String>, Refused> {
        let mut statements = Vec::new();
        for step in merged(steps) {
            match &step {
                Step::Execute(listing) => statements.extend(block(listing)),
                Step::Compensation { level, errors } if self.has_numbers => {
                    let moved = i16::from(compensated_level(*level, errors, self.offset)) - i16::from(*level);
                    statements.push(format!(
                        "scamp5_load_in(cain_helpers::level(cain_helpers::corrected({level}, 1, {moved})));"
                    ));
                }
                Step::Level(_) | Step::Select(_) | Step::Region(_) | Step::Capture { .. } => {
                    statements.extend(owned::lines(&step, SIDE));
                }
                step => {
                    let Some(more) = self.controlled(step)? else {
                        let message = format!("{}; generate Rust instead", no_statement(step));
                        let number = if let Step::Read(read) = step { Some(read.first) } else { None };
                        return Err(Refused { message, number });
                    };
                    statements.extend(more);
                }
            }
        }
        Ok(statements)
    }

    /// A step with numbers of the controller.
    fn controlled(&self, step: &Step) -> Result<Option<Vec<String>>, Refused> {
        if !self.has_numbers {
            return Ok(None);
        }
        Ok(Some(match step {
            Step::LevelOf { number, corrected } => {
                let (low, high) = self.ranges.range(*number);
                let name = self.names.number(*number);
                let fits = low >= i128::from(i8::MIN) && high <= i128::from(i8::MAX);
                let level = match corrected {
                    Some((factor, summand)) => {
                        format!("cain_helpers::level(cain_helpers::corrected({name}, {factor}, {summand}))")
                    }
                    None if fits => name,
                    None => format!("cain_helpers::level({name})"),
                };
                vec![format!("scamp5_load_in({level});")]
            }
            Step::RegionOf { register, first } => {
                let numbers: Vec<String> = (*first..first + 4).map(|place| self.names.number(place)).collect();
                let clear = block(&[cain_isa::asm::digital::clr(&[cain_isa::Bit::Reg(*register)])]);
                let load = format!(
                    "    scamp5_load_rect({register}, rectangle[0], rectangle[1], rectangle[2], rectangle[3]);"
                );
                let head = format!("if (cain_helpers::clipped({}, rectangle))", numbers.join(", "));
                let text =
                    ["uint8_t rectangle[4];".to_owned(), head, "{".to_owned(), load, "}".to_owned(), "else".to_owned()];
                let text: Vec<String> = text.into_iter().chain(braced_alone(&clear)).collect();
                braced_alone(&text)
            }
            Step::Find { what, of, first } => {
                let name = match what {
                    Found::Any => "any",
                    Found::Ones => "ones",
                    Found::Bounds => "bounds",
                    Found::First => "first",
                };
                let count = what.numbers();
                let mut text = vec![format!("int32_t found[{count}];"), format!("cain_helpers::{name}({of}, found);")];
                for at in 0..count {
                    text.extend(self.assigned(first + at, &format!("found[{at}]"), Sort::Whole));
                }
                braced_alone(&text)
            }
            Step::Sum { from, first } => self
                .assigned(*first, &format!("scamp5_global_sum_fast({from}) - 128"), Sort::Whole)
                .into_iter()
                .collect(),
            Step::Correct { number, factor, summand } => {
                let name = self.names.number(*number);
                let corrected = format!("cain_helpers::level(cain_helpers::corrected({name}, {factor}, {summand}))");
                self.assigned(*number, &corrected, Sort::Whole).into_iter().collect()
            }
            Step::Read(read) => return Ok(self.read(read)),
            Step::Compute { number, formula } => match expression(formula, self.names, self.ranges) {
                Some((text, sort)) => self.assigned(*number, &text, sort).into_iter().collect(),
                None => return Ok(None),
            },
            Step::Loop { most, counter, check, goes_on, body } => {
                let (pass, goes_on) = (format!("pass{counter}"), self.names.number(*goes_on));
                let mut text: Vec<String> = self.assigned(*counter, &pass, Sort::Whole).into_iter().collect();
                text.extend(self.body(&check.0)?);
                text.push(format!("if ({pass} == {most} || {goes_on} == 0) break;"));
                text.extend(self.body(&body.0)?);
                braced(format!("for (int32_t {pass} = 0;; ++{pass})"), &text)
            }
            Step::Decide { number, then, otherwise } => {
                let head = format!("if ({} != 0)", self.names.number(*number));
                let mut text = braced(head, &self.body(&then.0)?);
                let otherwise = self.body(&otherwise.0)?;
                if !otherwise.is_empty() {
                    text.extend(braced("else".to_owned(), &otherwise));
                }
                text
            }
            Step::Append { list, capacity, numbers } => {
                let Some((_, name)) = self.names.list(*list) else { return Ok(None) };
                let count = self.names.number(*list);
                let mut text: Vec<String> = Vec::new();
                for (at, number) in numbers.iter().enumerate() {
                    let place = format!("results.{name}[{count}][{at}]");
                    text.push(format!("{place} = {};", self.whole(*number)));
                }
                text.push(format!("++{count};"));
                braced(format!("if ({count} < {capacity})"), &text)
            }
            _ => return Ok(None),
        }))
    }

    /// Sums of levels over areas of a grid.
    fn read(&self, read: &ReadOut) -> Option<Vec<String>> {
        let ReadOut { from: Held::Reg(from), grid, windows: Some(windows), first, scale, shift, corrected, mean, adds } =
            read
        else {
            return None;
        };
        #[expect(clippy::float_cmp, reason = "as they were set")]
        if *scale != 1.0 || *shift != 0.0 || *mean || *adds {
            return None;
        }
        let sum = |(at, area): (usize, &cain_isa::program::Area)| {
            let top = grid.top + isize::try_from(area.top * grid.row_step).ok()?;
            let left = grid.left + isize::try_from(area.left * grid.column_step).ok()?;
            let (rows, columns) = (grid.row_step.max(1), grid.column_step.max(1));
            let call = format!(
                "cain_helpers::levels({from}, {top}, {left}, {rows}, {columns}, {}, {})",
                area.height, area.width
            );
            #[expect(clippy::cast_precision_loss, reason = "at most all PEs")]
            let corrected = corrected.map(|(factor, summand)| (factor, summand * (area.height * area.width) as f64));
            let call = match corrected {
                Some((factor, summand)) => {
                    format!("cain_helpers::whole(cain_helpers::corrected({call}, {factor}, {summand}))")
                }
                None => call,
            };
            Some(self.assigned(first + at, &call, Sort::Whole))
        };
        Some(windows.iter().enumerate().map(sum).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The statement that writes a number, if anything reads it.
    fn assigned(&self, place: usize, value: &str, sort: Sort) -> Option<String> {
        if self.names.is_local(place) && !self.ranges.is_read(place) {
            return None;
        }
        let name = self.names.number(place);
        let is_cast = self.names.sort(place, self.ranges) == Sort::Whole && sort == Sort::Wide;
        Some(if is_cast { format!("{name} = int32_t({value});") } else { format!("{name} = {value};") })
    }

    /// A number as one of 32 bits.
    fn whole(&self, place: usize) -> String {
        let name = self.names.number(place);
        if self.names.sort(place, self.ranges) == Sort::Whole { name } else { format!("int32_t({name})") }
    }
}

/// Statements in braces.
fn braced_alone(statements: &[String]) -> Vec<String> {
    ["{".to_owned()].into_iter().chain(indented(statements)).chain(["}".to_owned()]).collect()
}

/// Why a step is no statement.
fn no_statement(step: &Step) -> String {
    let line = owned::lines(step, SIDE).into_iter().next().unwrap_or_default();
    let line = line.trim_start_matches("// ").trim_end_matches(':');
    match step {
        Step::Read(ReadOut { from: Held::Bit(_), .. }) => {
            format!("the vendor's library does not tell the order of the bits that it reads for the step `{line}`")
        }
        step if step.reads().is_some() => format!("a function of C++ cannot return what the step `{line}` reads"),
        _ => format!("the vendor's library has no call for the step `{line}`"),
    }
}
