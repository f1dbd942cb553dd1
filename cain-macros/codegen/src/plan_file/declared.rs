//! Plan files on their own, without the source of their filter.

use std::path::Path;

use cain_search::InstructionSet;

use super::{Fault, MAGIC, PlanFile, PlanPath};
use crate::blocks;
use crate::diagnostic::{Diagnostic, Position};
use crate::kernel_file::Filter;
use crate::kinds::Kind as _;
use crate::lower::bits;
use crate::lower::options::instruction_set_name;
use crate::names;

/// The filter of the plan file at a path, with its verified program; `None` if the text is no plan file.
#[must_use]
pub fn read(text: &str, path: &Path) -> Option<Result<Filter, Diagnostic>> {
    text.starts_with(MAGIC).then(|| {
        let fault = |fault| match fault {
            Fault::Corrupt(problem) | Fault::Newer(problem) | Fault::Stale(problem) => problem,
            Fault::TooLarge | Fault::Unreadable(_) => unreadable(),
        };
        let file = PlanFile::parse(text).map_err(fault)?;
        let isa = file.whole.wanted.value("isa");
        if file.searches.is_some() || isa.is_some_and(|isa| [bits::DIGITAL, bits::SUPER_PIXELS].contains(&isa)) {
            return Err(of_another_kind());
        }
        let mut filter = file.filter().ok_or_else(unreadable)?;
        let solution = filter.verify(&file).map_err(fault)?;
        filter.of.pinned = Some((solution, PlanPath::of(path)));
        Ok(filter)
    })
}

/// The place of the declaration in a plan file.
fn declared() -> Position {
    Position { line: 2, column: 1 }
}

fn unreadable() -> Diagnostic {
    let message = "the plan is not one that `cain pin` has written; run `cain pin` to write it anew".to_owned();
    Diagnostic { place: declared(), message }
}

fn of_another_kind() -> Diagnostic {
    let message = "only plans of filters on analogue registers say all about them; name the source or the kernel file with \
                   the declaration";
    Diagnostic { place: declared(), message: message.to_owned() }
}

impl PlanFile {
    /// The filter that the identity describes; `None` if no filter has it.
    ///
    /// The canonical text is close to the grammar of the macro. Whether it was read as it was meant shows in the identity
    /// of the result.
    fn filter(&self) -> Option<Filter> {
        let canonical = self.condition("declaration")?;
        let (name, _) = canonical.split_once('(').filter(|(name, _)| names::declared("filter", name).is_ok())?;
        let blocks = blocks::read(&self.block(canonical.strip_prefix(name)?)?);
        let is_right = blocks.problems.is_empty();
        let mut filter = blocks.filters().into_iter().find(|_| is_right)?.placed(|_| declared());
        name.clone_into(&mut filter.of.declaration.name);
        filter.of = filter.of.with_nodes(self.budget());
        (filter.identity() == self.whole.wanted).then_some(filter)
    }

    /// A call of the macro with the canonical declaration, from its first parenthesis on, and the options.
    fn block(&self, canonical: &str) -> Option<String> {
        let (header, body) = canonical.split_once(" {")?;
        let (header, machine) = match header.split_once(" on (") {
            Some((header, machine)) => (header, machine.strip_suffix(')')?),
            None => (header, ""),
        };
        let input = header.get(1..)?.split([',', ')']).next()?.trim_start_matches('&');
        let parts = [machine.to_owned(), self.errors()].into_iter().filter(|part| !part.is_empty());
        let machine = parts.collect::<Vec<_>>().join(", ");
        let machine = if machine.is_empty() { machine } else { format!("#![machine({machine})]") };
        let (search, approximate, sums) = (self.search(), self.approximate(), sums(body, input));
        Some(format!("scamp_kernels! {{ {machine} #[search({search})] {approximate} fn plan{header} {{{sums} }}"))
    }

    /// The options of the search. What has no line is not the default of the macro.
    fn search(&self) -> String {
        let isa = self.condition("isa").unwrap_or_default();
        let usual_offset = if isa == instruction_set_name(InstructionSet::Native) { "cancelled" } else { "any" };
        let options = [
            ("isa", None),
            ("objective", None),
            ("max_gain", Some("any")),
            ("offset", Some(usual_offset)),
            ("input", None),
            ("accuracy", None),
        ];
        let option = |(key, absent)| Some(format!("{key} = {}", self.condition(key).or(absent)?));
        options.into_iter().filter_map(option).collect::<Vec<_>>().join(", ")
    }

    /// The attribute for kernels that the search has chosen.
    fn approximate(&self) -> String {
        let options = |options: &str| format!("#[approximate({}, search)]", options.replace(' ', ", "));
        self.condition("approximate").map(options).unwrap_or_default()
    }

    /// The errors of the chip as a part of its description.
    fn errors(&self) -> String {
        let constant = |constant: &str| match constant.split_once("offset=") {
            Some(("", list)) => format!("offset = [{list}]"),
            _ => constant.to_owned(),
        };
        let constants = |text: &str| text.split(' ').map(constant).collect::<Vec<_>>().join(", ");
        self.condition("errors").map(|text| format!("errors({})", constants(text))).unwrap_or_default()
    }

    fn condition(&self, key: &str) -> Option<&str> {
        self.whole.wanted.value(key)
    }
}

/// Canonical sums such as `B = 1/4 [1 2; 3 4] * A;` in the notation of the macro; `input` is any input, for a kernel of
/// zeros.
fn sums(canonical: &str, input: &str) -> String {
    let mut sums = String::with_capacity(2 * canonical.len());
    let mut inside = false;
    for part in canonical.replace("= 0;", &format!("= [0] * {input};")).split_inclusive(['[', ']']) {
        let (text, bracket) = part.split_at(part.len() - usize::from(part.ends_with(['[', ']'])));
        if inside {
            let rows: Vec<String> = text.split("; ").map(|row| row.replace(' ', ", ")).collect();
            sums += &rows.join("], [");
        } else {
            sums += text;
        }
        inside = bracket == "[";
        if inside && text.trim_end().ends_with(|last: char| last.is_ascii_digit()) {
            sums += "* ";
        }
        sums += bracket;
        sums += bracket;
    }
    sums
}
