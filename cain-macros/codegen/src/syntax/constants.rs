//! Numbers and kernels with a name, for the filters of a block.
//!
//! Names that the block does not declare may be those of constants of Rust around it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use cain_analysis::sorted::Map;
use cain_isa::{Reg, Registers};
use proc_macro2::{Ident, Span, TokenTree};
use syn::parse::ParseStream;

use super::outside;
use crate::lower::constants::{Uses, near_miss};
use crate::nesting::Flat;
use crate::sums::{self, Named, Wanted};
use crate::surroundings::{Assumption, Found, Literal, Missing, Surroundings, is_upper_case};
use crate::tree::{At, Meaning};

/// The constants of a block, and those around it that it uses.
#[derive(Default)]
pub(crate) struct Constants {
    named: Map<String, Constant>,
    /// Names in capitals that are declared nowhere.
    missing: Map<String, Missing>,
    /// The constants around the block that were used, by name.
    assumed: RefCell<Map<String, Assumption>>,
    uses: Uses,
}

enum Constant {
    Inside {
        at: Span,
        /// `None` after a mistake, which has been reported.
        value: Option<Meaning<Span>>,
        /// Those around the block that it is made of.
        assumed: Map<String, Assumption>,
        is_used: Cell<bool>,
    },
    /// Around the block; or why it cannot be used.
    Outside(Result<(Literal, Assumption), String>),
}

impl Constants {
    /// Adds a constant of the block, which is made of those that were looked up since the last one; it has no value after a
    /// mistake, which has been reported.
    pub(crate) fn add(&mut self, name: String, at: Span, value: Option<Meaning<Span>>) {
        let assumed = self.assumed.take();
        self.named.insert(name, Constant::Inside { at, value, assumed, is_used: Cell::new(false) });
    }

    /// Adds a constant of the block that is made of itself.
    pub(crate) fn add_circular(&mut self, name: String, at: Span) {
        let (value, assumed) = (None, Map::new());
        self.named.insert(name, Constant::Inside { at, value, assumed, is_used: Cell::new(true) });
    }

    /// Looks around the block for the names that it does not declare.
    pub(crate) fn add_surrounding(
        &mut self,
        input: ParseStream<'_>,
        is_declared: impl Fn(&str) -> bool,
        registers: &Registers,
        surroundings: &Surroundings<'_>,
    ) {
        for token in Flat::of(input.cursor().token_stream()) {
            let TokenTree::Ident(word) = token else { continue };
            let name = word.to_string();
            let is_known = is_declared(&name) || self.named.contains_key(&name) || self.missing.contains_key(&name);
            if is_known || !is_upper_case(&name) || is_register(&name, registers) {
                continue;
            }
            let constant = match surroundings.constant(&word) {
                Found::Missing(why) => {
                    self.missing.insert(name, why);
                    continue;
                }
                Found::Unusable(why) => Err(why),
                Found::Constant(found) => outside::value(&name, word.span(), &found.literal, found.position)
                    .map(|_| (found.literal.clone(), found.assumed_at(&word))),
            };
            self.named.insert(name, Constant::Outside(constant));
        }
    }

    /// Whether a name is that of a constant.
    pub(crate) fn contains(&self, name: &Ident) -> bool {
        self.named.contains_key(&name.to_string())
    }

    /// Whether a name is that of a constant of Rust around the block.
    pub(crate) fn is_outside(&self, name: &Ident) -> bool {
        matches!(self.named.get(&name.to_string()), Some(Constant::Outside(_)))
    }

    /// The constants around the block that were used since the last call.
    pub(crate) fn take_assumed(&self) -> Vec<Assumption> {
        self.assumed.take().into_iter().map(|(_, assumption)| assumption).collect()
    }

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.uses.take_mistake()
    }

    /// Why a name stands for nothing, and what to do about it.
    pub(crate) fn unknown(&self, text: &str, wanted: Wanted) -> String {
        let missing = self.missing.get(text);
        let around = match missing {
            Some(Missing::NotAmong(around)) => around.as_slice(),
            _ => &[],
        };
        if let Some(near) = near_miss(text, self.named.keys().chain(around)) {
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
        let example = match wanted {
            Wanted::Number => "1/4",
            Wanted::Kernel => "1/4 * [[1, 2, 1]]",
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

impl sums::Constants<Span> for Constants {
    fn get(&self, name: &str, at: Span, wanted: Wanted) -> Option<Named<'_, Span>> {
        let Some(constant) = self.named.get(name) else {
            return self.missing.contains_key(name).then(|| Named::Unknown(self.unknown(name, wanted)));
        };
        Some(match constant {
            Constant::Inside { value, assumed, is_used, .. } => {
                is_used.set(true);
                self.assumed.borrow_mut().extend(assumed.clone());
                if let Some(value) = value {
                    Named::Meaning(Cow::Borrowed(value))
                } else {
                    self.uses.meet_mistake();
                    Named::Mistaken
                }
            }
            Constant::Outside(Ok((literal, assumption))) => {
                self.assumed.borrow_mut().insert(name.to_owned(), assumption.clone());
                // It had a value when it was found; now its place is that of this use.
                outside::value(name, at, literal, assumption.position)
                    .map_or(Named::Mistaken, |value| Named::Meaning(Cow::Owned(value)))
            }
            Constant::Outside(Err(why)) => Named::Unusable(why.clone()),
        })
    }

    fn uses(&self) -> &Uses {
        &self.uses
    }
}

/// Whether a word is spelt like a constant: in upper case, and not the name of a register.
pub(crate) fn is_constant_name(word: &Ident) -> bool {
    let word = word.to_string();
    is_upper_case(&word) && word.parse::<Reg>().is_err()
}

/// Whether a name is that of a register of the machine.
pub(super) fn is_register(name: &str, registers: &Registers) -> bool {
    name.parse().is_ok_and(|reg: Reg| registers.contains(reg))
}
