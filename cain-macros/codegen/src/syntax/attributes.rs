//! `#[search(..)]`, `#[approximate(..)]`, `#[interruptible(..)]` and `#[superpixel(..)]` before a filter, and `#![machine(..)]`
//! before a block. All other attributes are passed on to the function.

use proc_macro2::{Ident, Span, TokenStream};
use syn::Attribute;
use syn::spanned::Spanned as _;

use crate::errors::Errors;
use crate::kinds::kernel;
use crate::kinds::options::{SEARCH_KEYS, interruptible, search_fields, search_options};
use crate::lower::machine::Described;
use crate::tree::{Approximate, Bits, Header, Interruptible, MachineOptions, SearchOptions, Spread};
use crate::value::{Entry, Value, What, tokens};
use crate::{kinds, lower, names};

/// The attributes of a filter.
#[derive(Default)]
pub(crate) struct Sorted {
    /// Those for the generated function.
    pub(crate) passed: Vec<Attribute>,
    pub(crate) search: SearchOptions<Span>,
    pub(crate) approximate: Option<Approximate<Span>>,
    pub(crate) interruptible: Option<Interruptible<Span>>,
    /// The bits of a digital filter, which are among the options of the search.
    pub(crate) bits: Option<Bits<Span>>,
    pub(crate) super_pixel: Option<Spread<Span>>,
}

/// The attributes that are read here, each with an example of an option.
const KNOWN: [(&str, &str); 4] = [
    ("search", "nodes = 200_000"),
    ("approximate", "depth = 5"),
    ("interruptible", "by = [reflex]"),
    ("superpixel", "carry = steps"),
];

/// Reads the attributes about the search and separates them from the others.
pub(crate) fn sort(attributes: Vec<Attribute>, header: &Header<Span>, errors: &mut Errors<Span>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut seen = Vec::new();
    for attribute in attributes {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let at = attribute.path().span();
        let Some((_, example)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            match names::near_miss(&name, &KNOWN.map(|(known, _)| known)) {
                Some(near) => errors.add(at, format_args!("unknown attribute `{name}`; did you mean `{near}`?")),
                None => sorted.passed.push(attribute),
            }
            continue;
        };
        if seen.contains(&name) {
            errors.add(at, format_args!("`{name}` is given twice; put all its options into one"));
            continue;
        }
        let before = errors.len();
        if let Some(options) = options(&attribute, example, errors) {
            sorted.add(&Entry::of(&name, &options), &name, header, errors.len() == before, errors);
        }
        seen.push(name);
    }
    sorted
}

impl Sorted {
    /// Adds what an attribute says. If not all of its options could be read, what is missing may be among these.
    fn add(
        &mut self,
        entry: &Entry<'_, Span>,
        name: &str,
        header: &Header<Span>,
        is_complete: bool,
        errors: &mut Errors<Span>,
    ) {
        match name {
            "search" => {
                let keys = [&SEARCH_KEYS[..], &["bits"]].concat();
                let Some(fields) = search_fields(entry, &keys, errors) else { return };
                self.search = search_options(&fields, errors);
                let bits = fields.get("bits").filter(|_| is_complete);
                self.bits = bits.and_then(|bits| kinds::bits(&bits, &header.inputs, errors));
            }
            _ if !is_complete => {}
            "approximate" => self.approximate = kernel::approximate(entry, errors),
            "interruptible" => self.interruptible = interruptible(entry, errors),
            _ => self.super_pixel = kinds::super_pixel(entry, errors),
        }
    }
}

/// The options in the parentheses of an attribute; `None` if it has none. `example` is one of them.
pub(crate) fn options(attribute: &Attribute, example: &str, errors: &mut Errors<Span>) -> Option<Value<Span>> {
    let options: TokenStream = attribute.parse_args().map_err(|error| errors.add_syntax(error)).ok()?;
    let mut reader = tokens::Reader { flags: &["search"], ..tokens::Reader::new(example, errors) };
    Some(Value { what: What::Map(reader.map(options)), at: attribute.path().span() })
}

/// The machine that the inner attributes of a block describe; only `machine` is known.
pub(crate) fn machine(attributes: &[Attribute], errors: &mut Errors<Span>) -> Described {
    let before = errors.len();
    let mut machine = MachineOptions::default();
    let mut is_given = false;
    for attribute in attributes {
        let at = attribute.path().span();
        if !attribute.path().is_ident("machine") {
            errors.add(at, "unknown attribute of a block; expected `#![machine(..)]`");
        } else if std::mem::replace(&mut is_given, true) {
            errors.add(at, "`machine` is given twice; put all its options into one");
        } else if let Some(options) = options(attribute, "registers = 18", errors) {
            machine = kinds::machine::machine(&Entry::of("machine", &options), errors);
        }
    }
    let described = lower::machine::machine(&machine, errors);
    if errors.len() == before { described } else { Described::ANY }
}
