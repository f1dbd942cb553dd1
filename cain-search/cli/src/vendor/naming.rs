//! What the numbers of a function are called, and what it begins and ends with.

use std::collections::{BTreeMap, BTreeSet};

use super::interface::{Interface, Kept, List, Returned};
use super::interval::Sort;
use super::names::{COUNT, RESULTS, kept, taken};
use super::ranges::Ranges;
use super::text::comment;

/// The most numbers of a line that declares them.
const IN_A_LINE: usize = 8;

/// What things are called in a function.
pub(super) struct Names<'i> {
    pub(super) of: &'i Interface,
    /// The name of the structure of what is kept.
    kept: String,
    parameters: Vec<String>,
    pub(super) results: Vec<String>,
    /// The expressions of numbers that are no variables of their own.
    known: BTreeMap<usize, String>,
}

impl<'i> Names<'i> {
    pub(super) fn of(program: &str, of: &'i Interface) -> Self {
        let mut names = Unique(BTreeSet::from(["results", "kept", "found", "rectangle"].map(str::to_owned)));
        let parameters: Vec<String> = of.parameters.iter().map(|parameter| names.more(&parameter.name)).collect();
        let mut names = Unique(BTreeSet::new());
        let results: Vec<String> = of
            .results
            .iter()
            .map(|result| match &result.of {
                Returned::List(_) => names.more_with(&result.name, &["", COUNT]),
                _ => names.more(&result.name),
            })
            .collect();
        let mut known: BTreeMap<usize, String> = BTreeMap::new();
        known.extend(of.parameters.iter().zip(&parameters).map(|(parameter, name)| (parameter.place, name.clone())));
        known.extend(of.kept.iter().map(|kept| (kept.place, format!("kept.n{}", kept.place))));
        known.extend(of.is_first.map(|place| (place, "kept.is_first".to_owned())));
        for (result, name) in of.results.iter().zip(&results) {
            if let Returned::List(list) = &result.of {
                known.insert(list.first, format!("results.{name}{COUNT}"));
            }
        }
        Self { of, kept: kept(program), parameters, results, known }
    }

    /// What the number at a place is called.
    pub(super) fn number(&self, place: usize) -> String {
        self.known.get(&place).cloned().unwrap_or_else(|| format!("n{place}"))
    }

    /// Whether the number at a place is a variable of the function.
    pub(super) fn is_local(&self, place: usize) -> bool {
        !self.known.contains_key(&place)
    }

    /// The list whose length is at a place, and its name.
    pub(super) fn list(&self, place: usize) -> Option<(&List, &str)> {
        self.of.results.iter().zip(&self.results).find_map(|(result, name)| match &result.of {
            Returned::List(list) if list.first == place => Some((list, name.as_str())),
            _ => None,
        })
    }

    fn keeps(&self) -> bool {
        self.of.is_first.is_some() || !self.of.kept.is_empty()
    }

    /// The function without its body.
    pub(super) fn head(&self, program: &str) -> String {
        let results = (!self.results.is_empty()).then(|| format!("{program}{RESULTS} &results"));
        let parameters = self.of.parameters.iter().zip(&self.parameters).map(|(parameter, name)| {
            if parameter.is_bool {
                format!("bool {name} = {}", parameter.default != 0)
            } else {
                format!("int32_t {name} = {}", parameter.default)
            }
        });
        let arguments: Vec<String> = results.into_iter().chain(parameters).collect();
        let makes = if self.is_checked() { "bool" } else { "void" };
        format!("{makes} {program}({})", arguments.join(", "))
    }

    /// Whether a parameter may be out of its range.
    pub(super) fn is_checked(&self) -> bool {
        self.of.parameters.iter().any(|parameter| !parameter.is_bool)
    }

    /// The structure of what is kept.
    pub(super) fn structure_of_kept(&self, ranges: &Ranges) -> Vec<String> {
        if !self.keeps() {
            return Vec::new();
        }
        let name = &self.kept;
        let mut text =
            vec![comment("What is kept from call to call beside registers"), format!("struct {name}"), "{".to_owned()];
        if self.of.is_first.is_some() {
            text.push("    int32_t is_first; // whether the next call is the first one".to_owned());
        }
        for Kept { name, place } in &self.of.kept {
            text.push(format!("    {} n{place}; {}", ranges.sort(*place).name(), comment(&format!("`{name}`"))));
        }
        text.extend([
            String::new(),
            format!("    static {name} &all()"),
            "    {".to_owned(),
            format!("        static {name} kept = {name}();"),
            "        return kept;".to_owned(),
            "    }".to_owned(),
            "};".to_owned(),
        ]);
        text
    }

    /// Statements before the first call: nothing is kept yet.
    pub(super) fn first_kept(&self) -> Vec<String> {
        if !self.keeps() {
            return Vec::new();
        }
        let name = &self.kept;
        let first = self.of.is_first.map(|_| format!("{name}::all().is_first = 1;"));
        [format!("{name}::all() = {name}();")].into_iter().chain(first).collect()
    }

    /// Statements at the beginning of a call: parameters are in their ranges.
    pub(super) fn beginning(&self) -> Vec<String> {
        let outside = self.of.parameters.iter().zip(&self.parameters).filter(|(parameter, _)| !parameter.is_bool);
        let outside: Vec<String> = outside
            .map(|(parameter, name)| {
                let (least, most) = parameter.range;
                format!("{name} < {least} || {name} > {most}")
            })
            .collect();
        let mut text = Vec::new();
        if !outside.is_empty() {
            let (last, others) = outside.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
            let others = others.iter().enumerate().map(|(place, condition)| {
                let begin = if place == 0 { "if (" } else { "    || " };
                format!("{begin}{condition}")
            });
            text.extend(others);
            text.push(if text.is_empty() { format!("if ({last})") } else { format!("    || {last})") });
            text.extend(["{", "    return false;", "}"].map(str::to_owned));
        }
        if self.keeps() {
            text.push(format!("{0} &kept = {0}::all();", self.kept));
        }
        text
    }

    /// Statements at the end of a call.
    pub(super) fn end(&self) -> Vec<String> {
        let first = self.of.is_first.map(|_| "kept.is_first = 0;".to_owned());
        first.into_iter().chain(self.is_checked().then(|| "return true;".to_owned())).collect()
    }

    /// The statements that declare the variables of a function.
    pub(super) fn locals(&self, ranges: &Ranges) -> Vec<String> {
        let locals = |sort: Sort| {
            let of = ranges.read().filter(move |place| self.is_local(*place) && ranges.sort(*place) == sort);
            of.map(|place| format!("{} = 0", self.number(place))).collect::<Vec<_>>()
        };
        let declared = |sort: Sort| {
            let locals = locals(sort);
            locals.chunks(IN_A_LINE).map(|of| format!("{} {};", sort.name(), of.join(", "))).collect::<Vec<_>>()
        };
        [declared(Sort::Whole), declared(Sort::Wide)].concat()
    }

    /// How the number at a place is computed with.
    pub(super) fn sort(&self, place: usize, ranges: &Ranges) -> Sort {
        if self.list(place).is_some() { Sort::Whole } else { ranges.sort(place) }
    }
}

/// Names of which no two are the same.
struct Unique(BTreeSet<String>);

impl Unique {
    /// A name for something that is called like that: none that means something else.
    fn more(&mut self, name: &str) -> String {
        self.more_with(name, &[""])
    }

    /// A name that means nothing else with any of these ends.
    fn more_with(&mut self, name: &str, ends: &[&str]) -> String {
        let is_variable = |name: &str| {
            name.strip_prefix('n')
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let is_free = |name: &str| taken(name).is_none() && !is_variable(name) && !self.0.contains(name);
        let with_ends = |name: &str| ends.iter().map(|end| format!("{name}{end}")).collect::<Vec<_>>();
        let name = name.replace('.', "_");
        // Names in which underscores follow each other belong to the compiler.
        let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
        let joined = if parts.is_empty() { "number".to_owned() } else { parts.join("_") };
        let further = (0..).map(|number| match number {
            0 => name.clone(),
            1 => joined.clone(),
            2 => format!("{joined}_"),
            3 => format!("{joined}_of_program"),
            // Names with the beginning of the vendor's.
            4 => format!("program_{joined}"),
            number => format!("program_{joined}{number}"),
        });
        let free = further.map(|name| (with_ends(&name), name)).find(|(all, _)| all.iter().all(|name| is_free(name)));
        let (all, name) = free.unwrap_or_default();
        self.0.extend(all);
        name
    }
}
