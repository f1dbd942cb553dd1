//! `"const" NAME "=" (number | sum) ";"`: numbers and kernels with a name, for the filters of a block.
//!
//! A constant may be used before it is declared, as in Rust. What it is made of is read after the constants that it names.
//! Names that the block does not declare may be those of constants of Rust around it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::btree_map::{BTreeMap, Entry};

use cain_isa::{Reg, Registers};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Token, Visibility};

use super::recover::{begins_item, skip};
use super::{number, outside, sum};
use crate::diagnostic::twice;
use crate::errors::Errors;
use crate::lower::constants::{Uses, check, in_order, near_miss};
use crate::nesting::Flat;
use crate::surroundings::{Assumption, Found, Literal, Missing, Surroundings, is_upper_case};
use crate::tree::{At, Meaning, Term};

/// The constants of a block, and those around it that it uses.
#[derive(Default)]
pub(crate) struct Constants {
    named: BTreeMap<String, Constant>,
    /// Names in capitals that are declared nowhere.
    missing: BTreeMap<String, Missing>,
    /// The constants around the block that were used, by name.
    assumed: RefCell<BTreeMap<String, Assumption>>,
    uses: Uses,
}

enum Constant {
    Inside {
        at: Span,
        /// `None` after a mistake, which has been reported.
        value: Option<Meaning<Span>>,
        /// Those around the block that it is made of.
        assumed: BTreeMap<String, Assumption>,
        is_used: Cell<bool>,
    },
    /// Around the block; or why it cannot be used.
    Outside(Result<(Literal, Assumption), String>),
}

/// What a name stands for, where a number or a kernel is expected.
pub(crate) enum Named<'c> {
    Constant(Cow<'c, Meaning<Span>>),
    /// A constant whose declaration has a mistake, which has been reported.
    Mistaken,
    /// A constant of Rust without a value that can be used; why.
    Unusable(&'c str),
    Unknown,
}

/// A declaration whose value has not been read.
struct Declared {
    name: Ident,
    /// `None` after a mistake, which has been reported.
    value: Option<TokenStream>,
    /// The last token of it.
    end: Span,
}

impl Constants {
    /// Reads the constants among the items of a block, and leaves the input as it is.
    pub(crate) fn read(
        input: ParseStream<'_>,
        registers: &Registers,
        surroundings: &Surroundings<'_>,
        errors: &mut Errors<Span>,
    ) -> Self {
        let mut constants = Self::default();
        let mut declared: BTreeMap<String, Declared> = BTreeMap::new();
        for constant in declarations(input, errors) {
            let name = constant.name.to_string();
            if is_register(&name, registers) {
                errors
                    .add(constant.name.span(), format_args!("`{name}` is a register; give the constant another name"));
            }
            match declared.entry(name) {
                Entry::Occupied(entry) => {
                    let first = surroundings.place_of(entry.get().name.span()).map(|place| place.position.line);
                    errors.add(constant.name.span(), twice("constant", entry.key(), first));
                }
                Entry::Vacant(entry) => {
                    entry.insert(constant);
                }
            }
        }
        constants.add_surrounding(input, &declared, registers, surroundings);
        for name in ordered(&declared, errors) {
            if let Some(constant) = declared.remove(&name) {
                let value = constants.value(&constant, errors);
                let (at, assumed) = (constant.name.span(), constants.assumed.take());
                constants.named.insert(name, Constant::Inside { at, value, assumed, is_used: Cell::new(false) });
            }
        }
        // Those that are defined by themselves.
        for (name, constant) in declared {
            let (at, assumed) = (constant.name.span(), BTreeMap::new());
            constants.named.insert(name, Constant::Inside { at, value: None, assumed, is_used: Cell::new(true) });
        }
        constants
    }

    /// Looks around the block for the names that it does not declare.
    fn add_surrounding(
        &mut self,
        input: ParseStream<'_>,
        declared: &BTreeMap<String, Declared>,
        registers: &Registers,
        surroundings: &Surroundings<'_>,
    ) {
        for token in Flat::of(input.cursor().token_stream()) {
            let TokenTree::Ident(word) = token else { continue };
            let name = word.to_string();
            let is_known =
                declared.contains_key(&name) || self.named.contains_key(&name) || self.missing.contains_key(&name);
            if is_known || !is_upper_case(&name) || is_register(&name, registers) {
                continue;
            }
            let constant = match surroundings.constant(&word) {
                Found::Missing(why) => {
                    self.missing.insert(name, why);
                    continue;
                }
                Found::Unusable(why) => Err(why),
                Found::Constant(found) => outside::value(&word, &found.literal, found.position)
                    .map(|_| (found.literal.clone(), found.assumed_at(&word))),
            };
            self.named.insert(name, Constant::Outside(constant));
        }
    }

    fn value(&self, constant: &Declared, errors: &mut Errors<Span>) -> Option<Meaning<Span>> {
        let before = errors.len();
        self.uses.take_mistake();
        let read = |input: ParseStream<'_>| {
            let ahead = input.fork();
            if let Ok(number) = number::weight(&ahead, self)
                && ahead.is_empty()
            {
                input.advance_to(&ahead);
                return Ok(Meaning::Number(number));
            }
            let terms = sum::parse(input, constant.end, self, errors)?;
            if !input.is_empty() {
                return Err(input.error("expected `;` after the constant"));
            }
            Ok(Meaning::Kernel(terms))
        };
        let value = read.parse2(constant.value.clone()?).map_err(|error| errors.add_syntax(error)).ok()?;
        if let Meaning::Kernel(terms) = &value
            && errors.len() == before
        {
            check(terms, errors);
        }
        (errors.len() == before && !self.uses.take_mistake()).then_some(value)
    }

    /// What a name stands for.
    pub(crate) fn get(&self, name: &Ident) -> Named<'_> {
        match self.named.get(&name.to_string()) {
            None => Named::Unknown,
            Some(Constant::Inside { value, assumed, is_used, .. }) => {
                is_used.set(true);
                self.assumed.borrow_mut().extend(assumed.clone());
                let Some(value) = value else {
                    self.uses.meet_mistake();
                    return Named::Mistaken;
                };
                Named::Constant(Cow::Borrowed(value))
            }
            Some(Constant::Outside(Ok((literal, assumption)))) => {
                self.assumed.borrow_mut().insert(name.to_string(), assumption.clone());
                // It had a value when it was found; now its place is that of this use.
                outside::value(name, literal, assumption.position)
                    .map_or(Named::Mistaken, |value| Named::Constant(Cow::Owned(value)))
            }
            Some(Constant::Outside(Err(why))) => Named::Unusable(why),
        }
    }

    /// Whether a name is that of a constant.
    pub(crate) fn contains(&self, name: &Ident) -> bool {
        self.named.contains_key(&name.to_string())
    }

    /// Whether a name is spelt like that of a constant but declared nowhere.
    pub(crate) fn is_missing(&self, name: &Ident) -> bool {
        self.missing.contains_key(&name.to_string())
    }

    /// Whether a name is that of a constant of Rust around the block.
    pub(crate) fn is_outside(&self, name: &Ident) -> bool {
        matches!(self.named.get(&name.to_string()), Some(Constant::Outside(_)))
    }

    /// The constants around the block that were used since the last call.
    pub(crate) fn take_assumed(&self) -> Vec<Assumption> {
        self.assumed.take().into_values().collect()
    }

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.uses.take_mistake()
    }

    /// Counts the weights that a use of a constant stands for.
    pub(crate) fn count(&self, terms: &[Term<Span>], at: Span) -> syn::Result<()> {
        self.uses.count(terms).map_err(|message| syn::Error::new(at, message))
    }

    /// Why a name stands for nothing, and what to do about it; `example` is a value that would fit.
    pub(crate) fn unknown(&self, name: &Ident, example: &str) -> String {
        let text = name.to_string();
        let missing = self.missing.get(&text);
        let around = match missing {
            Some(Missing::NotAmong(around)) => around.as_slice(),
            _ => &[],
        };
        if let Some(near) = near_miss(&text, self.named.keys().chain(around)) {
            return format!("unknown constant `{text}`; did you mean `{near}`?");
        }
        let why = match missing {
            Some(Missing::NotAmong(_)) => "it is declared neither in this block nor around it in the same file",
            Some(Missing::InRules(rules)) => {
                &format!("what macro `{rules}` expands to does not see the constants around it")
            }
            Some(Missing::NoFile) | None => {
                "the compiler does not tell which file this is, so constants around the block are not seen"
            }
        };
        format!("unknown constant `{text}`: {why}; declare it inside: `const {text} = {example};`")
    }

    /// A warning for each constant without use.
    pub(crate) fn unused(&self) -> Vec<At<String, Span>> {
        let unused = self.named.iter().filter_map(|(name, constant)| match constant {
            Constant::Inside { at, is_used, .. } if !is_used.get() => {
                Some(At { value: format!("constant `{name}` is never used"), at: *at })
            }
            _ => None,
        });
        unused.collect()
    }
}

/// Whether a word is spelt like a constant: in upper case, and not the name of a register.
pub(crate) fn is_constant_name(word: &Ident) -> bool {
    let word = word.to_string();
    is_upper_case(&word) && word.parse::<Reg>().is_err()
}

/// Whether a name is that of a register of the machine.
fn is_register(name: &str, registers: &Registers) -> bool {
    name.parse().is_ok_and(|reg: Reg| registers.contains(reg))
}

/// Skips a declaration, which has been read before, and checks what is in front of it.
pub(crate) fn skip_declaration(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    visibility: &Visibility,
    errors: &mut Errors<Span>,
) {
    for attribute in attributes.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
        errors.add(attribute.pound_token.span, "a constant has no attributes but its documentation");
    }
    if !matches!(visibility, Visibility::Inherited) {
        errors.add(visibility.span(), "a constant is for the filters of its block alone; leave out the visibility");
    }
    skip(input);
    while !input.is_empty() && !begins_item(input) {
        let is_end = input.peek(Token![;]);
        skip(input);
        if is_end {
            break;
        }
    }
}

/// The declarations of a block, wherever they are among its filters.
fn declarations(input: ParseStream<'_>, errors: &mut Errors<Span>) -> Vec<Declared> {
    let input = input.fork();
    let mut declarations = Vec::new();
    // Of a function, where there should be none.
    let mut is_parameter = false;
    while !input.is_empty() {
        if input.peek(Token![const]) && !is_parameter {
            match name(&input) {
                Ok(name) => {
                    let mut end = name.span();
                    let value = value(&input, &name, &mut end).map_err(|error| errors.add_syntax(error)).ok();
                    declarations.push(Declared { name, value, end });
                }
                Err(error) => errors.add_syntax(error),
            }
        } else {
            is_parameter = input.peek(Token![<]) || input.peek(Token![,]);
            skip(&input);
        }
    }
    declarations
}

/// `"const" NAME`.
fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.parse::<Token![const]>()?;
    if !input.peek(syn::Ident) {
        return Err(input.error("expected a name for the constant, such as `const WEIGHT = 1/4;`"));
    }
    let name: Ident = input.parse()?;
    if !is_upper_case(&name.to_string()) {
        let message = format!("`{name}` may be a plane; write names of constants in upper case");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(name)
}

/// `"=" .. ";"`; `end` becomes the last token of the value.
fn value(input: ParseStream<'_>, name: &Ident, end: &mut Span) -> syn::Result<TokenStream> {
    if input.peek(Token![:]) {
        return Err(input.error(format!("constants are exact and have no type; write `const {name} = ..;`")));
    }
    input.parse::<Token![=]>()?;
    let mut value = TokenStream::new();
    while !input.peek(Token![;]) {
        if input.is_empty() || begins_item(input) {
            return Err(syn::Error::new(*end, "expected `;` after the constant"));
        }
        let token: TokenTree = input.parse()?;
        *end = token.span();
        value.extend([token]);
    }
    input.parse::<Token![;]>()?;
    if value.is_empty() {
        return Err(syn::Error::new(*end, "expected a number or a kernel for the constant"));
    }
    Ok(value)
}

/// The names in an order in which each is after those that it is made of, without those that are made of themselves: these
/// are reported.
fn ordered(declared: &BTreeMap<String, Declared>, errors: &mut Errors<Span>) -> Vec<String> {
    let parts = |constant: &Declared| {
        let mut names = Vec::new();
        add_names(constant.value.clone().unwrap_or_default(), declared, &mut names);
        names
    };
    let declared = declared.iter();
    let declared = declared.map(|(name, constant)| (name.as_str(), (constant.name.span(), parts(constant)))).collect();
    in_order(&declared, errors).into_iter().map(str::to_owned).collect()
}

/// Adds the names of constants among tokens.
fn add_names<'d>(tokens: TokenStream, declared: &'d BTreeMap<String, Declared>, names: &mut Vec<&'d str>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                names.extend(declared.get_key_value(&word.to_string()).map(|(name, _)| name.as_str()));
            }
            TokenTree::Group(group) => add_names(group.stream(), declared, names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
