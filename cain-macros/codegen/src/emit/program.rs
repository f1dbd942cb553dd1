//! Programs as constant data, and as tables of the documentation.

mod control;

use cain_analysis::owned::{BitPlane, Part, Program, ReadOut, Step};
use cain_analysis::sorted::Set;
use cain_isa::Fraction;
use cain_isa::program::{Area, Count, EventRead, Format, Grid, Held, Kinds, Picture, Selection};
use cain_search::switches::SwitchTable;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::assembler::integer;
use super::bit::constant as bit;
#[cfg(any(feature = "networks", feature = "programs"))]
use super::docs;
#[cfg(any(feature = "networks", feature = "programs"))]
use super::frame::Frame;
#[cfg(any(feature = "networks", feature = "programs"))]
use super::plan::allow_evaluation_of;
use super::switches::switches;
use super::words::Words;

/// A program as an expression of the type `Program`, with the tables of where it may be left.
pub(super) fn program(runtime: &TokenStream, program: &Program, tables: &[SwitchTable]) -> TokenStream {
    let mut writer = Writer { runtime, words: Words::default(), types: Set::from(["Program"]) };
    let (name, (rows, columns)) = (&program.name, program.blocks);
    let [rows, columns] = [rows, columns].map(size);
    let pictures: Vec<_> = program.pictures.iter().map(|picture| writer.picture(picture)).collect();
    let preparation: Vec<_> = program.preparation.iter().map(|step| writer.step(step)).collect();
    let parts: Vec<_> = program.parts.iter().map(|part| writer.part(part, program)).collect();
    let numbers = size(program.numbers);
    let tables: Vec<_> = tables.iter().map(|table| switches(runtime, table, writer.words.analogue())).collect();
    let (words, types) = (writer.words.imports(runtime), writer.types.iter().map(|name| format_ident!("{name}")));
    quote! {{
        #words
        use #runtime::isa::program::{#(#types),*};
        Program {
            name: #name,
            blocks: (#rows, #columns),
            pictures: &[#(#pictures),*],
            preparation: &[#(#preparation),*],
            parts: &[#(#parts),*],
            numbers: #numbers,
            switches: &[#(#tables),*],
        }
    }}
}

/// The kinds of steps with these switch points, as a constant expression in braces.
pub(super) fn kinds<'s>(
    runtime: &TokenStream,
    steps: impl Iterator<Item = &'s Step>,
    tables: &[SwitchTable],
) -> TokenStream {
    let switches = if tables.is_empty() { 0 } else { Kinds::SWITCHES };
    let all = steps.fold(switches, |kinds, step| kinds | step.kinds());
    let names = Kinds::NAMES.iter().filter(|(kind, _)| all & kind != 0).map(|(_, name)| format_ident!("{name}"));
    let kinds: Vec<_> = names.map(|name| quote!(#runtime::isa::program::Kinds::#name)).collect();
    if kinds.is_empty() { quote!(0) } else { quote!({ #(#kinds)|* }) }
}

/// The constant `PLAN` of a module.
#[cfg(any(feature = "networks", feature = "programs"))]
pub(super) fn constant(frame: &Frame<'_>, docs: &str, program: &Program, tables: &[SwitchTable]) -> TokenStream {
    let (runtime, inner, docs) = (frame.runtime, frame.inner(), docs::line(docs));
    let (allow, plan) = (allow_evaluation_of(program.words()), self::program(runtime, program, tables));
    quote! {
        #docs
        #allow
        #[allow(clippy::approx_constant, clippy::unreadable_literal)]
        #inner static PLAN: #runtime::isa::program::Program = #plan;
    }
}

/// Writes steps, and records the names to import for them.
struct Writer<'a> {
    runtime: &'a TokenStream,
    words: Words,
    /// Of `cain_isa::program`.
    types: Set<&'static str>,
}

impl Writer<'_> {
    /// A type of `cain_isa::program`.
    fn kind(&mut self, name: &'static str) -> Ident {
        self.types.insert(name);
        format_ident!("{name}")
    }

    fn picture(&mut self, Picture { register, pixels }: &Picture) -> TokenStream {
        let (kind, register, pixels) = (self.kind("Picture"), self.words.reg(*register), self.grid(pixels));
        quote!(#kind { register: #register, pixels: #pixels })
    }

    fn part(&mut self, part: &Part, program: &Program) -> TokenStream {
        let (name, words) = (&part.name, integer(part.words() as u64));
        let nanoseconds = integer(part.nanoseconds(&program.times));
        let steps: Vec<_> = part.steps.iter().map(|step| self.step(step)).collect();
        let kind = self.kind("Part");
        quote! {
            #kind {
                name: #name,
                words: #words,
                nanoseconds: #nanoseconds,
                steps: &[#(#steps),*],
            }
        }
    }

    fn step(&mut self, step: &Step) -> TokenStream {
        let kind = self.kind("Step");
        match step {
            Step::Execute(listing) => {
                let listing: Vec<_> = listing.iter().map(|instruction| self.words.instruction(instruction)).collect();
                quote!(#kind::Execute(&[#(#listing),*]))
            }
            Step::Level(level) => {
                let level = signed(i64::from(*level));
                quote!(#kind::Level(#level))
            }
            Step::Compensation { level, errors } => self.compensation(*level, *errors),
            Step::Select(selection) => {
                let selection = self.selection(*selection);
                quote!(#kind::Select(#selection))
            }
            Step::Region(region) => {
                let (area_kind, region) = (self.kind("Area"), *region);
                let region = area(&quote!(#area_kind), region);
                quote!(#kind::Region(#region))
            }
            Step::Outside(bit, grid) => {
                let (bit, grid) = (self::bit(self.runtime, *bit), self.grid(grid));
                quote!(#kind::Outside(#bit, #grid))
            }
            Step::Load(plane) => {
                let plane = self.plane(plane);
                quote!(#kind::Load(#plane))
            }
            Step::Read(read) => {
                let read = self.read_out(read);
                quote!(#kind::Read(#read))
            }
            Step::Events(read) => {
                let read = self.events(read);
                quote!(#kind::Events(#read))
            }
            Step::Sum { from, first } => {
                let (from, first) = (self.words.reg(*from), size(*first));
                quote!(#kind::Sum { from: #from, first: #first })
            }
            Step::Correct { number, factor, summand } => {
                let number = size(*number);
                quote!(#kind::Correct { number: #number, factor: #factor, summand: #summand })
            }
            Step::Count(count) => {
                let count = self.count(count);
                quote!(#kind::Count(#count))
            }
            Step::Store(reg, format) => {
                let (reg, format) = (self.words.reg(*reg), self.format(*format));
                quote!(#kind::Store(#reg, #format))
            }
            step => self.control(step).unwrap_or_default(),
        }
    }

    fn compensation(&mut self, level: i8, errors: [Fraction; 3]) -> TokenStream {
        let kind = self.kind("Step");
        let (level, errors) = (signed(i64::from(level)), errors.map(|error| self.words.analogue().ratio(error)));
        quote!(#kind::Compensation { level: #level, errors: [#(#errors),*] })
    }

    fn format(&mut self, Format { dropped, least, most, guard }: Format) -> TokenStream {
        let kind = self.kind("Format");
        let [dropped, guard] = [dropped, guard].map(Literal::u8_unsuffixed);
        let [least, most] = [least, most].map(|number| signed(number.into()));
        quote!(#kind { dropped: #dropped, least: #least, most: #most, guard: #guard })
    }

    fn selection(&mut self, selection: Selection) -> TokenStream {
        let kind = self.kind("Selection");
        let Selection { row, column, free_row_bits, free_column_bits } = selection;
        let [row, column, free_row_bits, free_column_bits] =
            [row, column, free_row_bits, free_column_bits].map(|bits| integer(bits.into()));
        quote! {
            #kind {
                row: #row,
                column: #column,
                free_row_bits: #free_row_bits,
                free_column_bits: #free_column_bits,
            }
        }
    }

    fn grid(&mut self, grid: &Grid) -> TokenStream {
        let kind = self.kind("Grid");
        let Grid { top, left, row_step, column_step, height, width } = *grid;
        let [top, left] = [top, left].map(|place| signed(place as i64));
        let [row_step, column_step, height, width] = [row_step, column_step, height, width].map(size);
        quote!(#kind::new((#top, #left), (#row_step, #column_step), (#height, #width)))
    }

    fn plane(&mut self, plane: &BitPlane) -> TokenStream {
        let kind = self.kind("BitPlane");
        let [rows, distinct] = [&plane.rows, &plane.distinct].map(|bytes| Literal::byte_string(bytes));
        let register = bit(self.runtime, plane.register);
        quote! {
            #kind {
                register: #register,
                rows: #rows,
                distinct: #distinct,
            }
        }
    }

    fn read_out(&mut self, read: &ReadOut) -> TokenStream {
        let ReadOut { from, grid, windows, first, scale, shift, corrected, mean, adds } = read;
        let held = self.kind("Held");
        let from = match *from {
            Held::Reg(reg) => {
                let reg = self.words.reg(reg);
                quote!(#held::Reg(#reg))
            }
            Held::Bit(bit) => {
                let bit = self.words.bit(bit);
                quote!(#held::Bit(#bit))
            }
        };
        let grid = self.grid(grid);
        let windows = match windows {
            None => quote!(::core::option::Option::None),
            Some(areas) => {
                let kind = self.kind("Area");
                let areas = areas.iter().map(|of| area(&quote!(#kind), *of));
                quote!(::core::option::Option::Some(&[#(#areas),*]))
            }
        };
        let (first, scale, shift) = (size(*first), real(*scale), real(*shift));
        let corrected = pair(*corrected);
        let kind = self.kind("ReadOut");
        quote! {
            #kind {
                from: #from,
                grid: #grid,
                windows: #windows,
                first: #first,
                scale: #scale,
                shift: #shift,
                corrected: #corrected,
                mean: #mean,
                adds: #adds,
            }
        }
    }

    fn events(&mut self, read: &EventRead) -> TokenStream {
        let EventRead { from, grid, capacity, first, is_alone } = read;
        let (kind, from, grid) = (self.kind("EventRead"), self.words.bit(*from), self.grid(grid));
        let [capacity, first] = [*capacity, *first].map(size);
        quote! {
            #kind {
                from: #from,
                grid: #grid,
                capacity: #capacity,
                first: #first,
                is_alone: #is_alone,
            }
        }
    }

    fn count(&mut self, count: &Count) -> TokenStream {
        let Count { register, first, classes, group, bits, numbers, excess } = *count;
        let (kind, register) = (self.kind("Count"), bit(self.runtime, register));
        let [first, classes, group, bits, numbers] = [first, classes, group, bits, numbers].map(size);
        let excess = excess.map(|excess| integer(excess.into()));
        quote! {
            #kind {
                register: #register,
                first: #first,
                classes: #classes,
                group: #group,
                bits: #bits,
                numbers: #numbers,
                excess: [#(#excess),*],
            }
        }
    }
}

/// An area, whose type has that path.
pub(super) fn area(kind: &TokenStream, Area { top, left, height, width }: Area) -> TokenStream {
    let [top, left, height, width] = [top, left, height, width].map(size);
    quote!(#kind::new(#top, #left, #height, #width))
}

/// A whole number of any type.
pub(super) fn signed(value: i64) -> TokenStream {
    let (sign, digits) = ((value < 0).then(|| quote!(-)), integer(value.unsigned_abs()));
    quote!(#sign #digits)
}

fn size(size: usize) -> Literal {
    Literal::usize_unsuffixed(size)
}

/// A literal of a type that is inferred.
fn real(value: f64) -> TokenStream {
    let sign = value.is_sign_negative().then(|| quote!(-));
    // What is not finite is refused with the declaration.
    let digits = Literal::f64_unsuffixed(if value.is_finite() { value.abs() } else { 0.0 });
    quote!(#sign #digits)
}

/// A factor and a summand, if there are any.
fn pair(of: Option<(f64, f64)>) -> TokenStream {
    match of.map(|(factor, summand)| (real(factor), real(summand))) {
        None => quote!(::core::option::Option::None),
        Some((factor, summand)) => quote!(::core::option::Option::Some((#factor, #summand))),
    }
}

/// A row of the documentation for each part: words, time, and the values that it makes if that is told.
#[cfg(feature = "networks")]
pub(super) fn table(program: &Program) -> Vec<String> {
    let range = |part: &Part| part.made.as_ref().and_then(|made| made.range);
    let tells_values = program.parts.iter().any(|part| range(part).is_some());
    let head = if tells_values {
        ["| part | words | µs | DN |", "|---|---|---|---|"]
    } else {
        ["| part | words | µs |", "|---|---|---|"]
    };
    let row = |part: &Part| {
        let time = microseconds(part.nanoseconds(&program.times));
        let values = match range(part) {
            Some((low, high)) => format!(" {low:.0} to {high:.0} |"),
            None if tells_values => " |".to_owned(),
            None => String::new(),
        };
        format!("| `{}` | {} | {time} |{values}", part.name, part.words())
    };
    head.into_iter().map(str::to_owned).chain(program.parts.iter().map(row)).collect()
}

/// What a call costs: `105 control words, about 19.95 µs on the chip`.
#[cfg(feature = "networks")]
pub(super) fn cost(program: &Program) -> String {
    format!("{} control words, about {} µs on the chip", program.words(), microseconds(program.nanoseconds()))
}

/// With two digits behind the point.
#[cfg(feature = "networks")]
pub(super) fn microseconds(nanoseconds: u64) -> String {
    let hundredths = nanoseconds / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
