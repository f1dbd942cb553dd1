//! The language of whole programs: frames after frames, with states, numbers that the host sets, loops and decisions.
//!
//! It lexes as Rust, so that the macro, files of their own and kernel files share one parser. A text is parsed to a
//! tree and lowered to declarations of [`cain_vision`], value by value.
//!
//! ```text
//! file      = ["#![machine(" option* ")]"] (use | program | function | constant)*
//! use       = "use" [NAME ("," NAME)* "from"] PATH ";"   PATH: a text in quotes, that of a kernel file
//! program   = attribute* visibility "program" NAME "(" entry,* ")" "->" "(" result,* ")" "{" statement* "}"
//! entry     = NAME [":" kind] ["=" default]              without a kind: the captured picture
//! kind      = "levels" ["(" range ")"] | "bits" | "bool" | "region" | range
//! result    = NAME | "next" NAME
//! function  = "fn" NAME "(" (NAME ["=" expr]),* ")" block
//! constant  = "const" NAME "=" expr ";"
//!
//! block     = "{" statement* [expr] "}"
//! statement = "let" pattern "=" expr ";"
//!           | "var" pattern [":" type] "=" expr ";"
//!           | NAME "=" expr ["where" expr] ";"           a `var`
//!           | "state" NAME [":" type] "=" expr ["," storage] ";"
//!           | "next" NAME "=" expr ["where" expr] ";"
//!           | "list" NAME ";" | NAME "+=" expr ";"
//!           | "repeat" [NAME "in"] expr ["," "at" "most" expr] block
//!           | "while" expr "," "at" "most" expr block
//!           | "until" "stable" NAME "," "at" "most" expr block
//!           | "for" pattern "in" expr block
//!           | "if" expr block ["else" (block | if)]
//! pattern   = NAME | "(" pattern,* ")"
//! type      = "levels" | "bits" | "bool" | "number" | range | "digits" "(" expr ")"
//! storage   = "analogue" | "levels" "(" expr ")" | "bits" "(" expr ")"
//!
//! expr      = ("argmin" | "argmax") "(" pattern "in" expr "," expr ")" | any of these, the loosest first:
//!             expr "..=" expr
//!             expr ("|" | "||") expr
//!             expr "^" expr
//!             expr ("&" | "&&") expr
//!             expr (">" | ">=" | "<" | "<=" | "==" | "!=") expr      not in chains
//!             expr ("+" | "-") expr
//!             expr ("*" | "/" | "%") expr
//!             ("-" | "!") expr
//!             expr "@" place | expr "[" expr "]" | expr "." FIELD
//!             NUMBER | "true" | "false" | NAME | NAME "(" ([NAME "="] expr),* ")" | "until" "stable"
//!             "(" expr,* ")" | "[" expr,* "]" ["at" "[" expr "," expr "]"] | "[" expr "for" pattern "in" expr "]"
//!             "if" expr block "else" (block | if)
//! place     = NAME | "(" expr "," expr ")" | "(" ([expr] DIRECTION),* ")"
//! range     = expr "..=" expr                            both ends belong to it
//! DIRECTION = "north" | "northeast" | "east" | .. | "northwest"
//! ```
//!
//! A NAME that is called is that of a function, or of a filter or network: of a kernel file that the text uses, or of the one that
//! the programs are in.
//!
//! What values, operators and functions mean is told in `docs/programs.md`.

mod filter;
mod lower;
mod parse;
mod prelude;
mod tree;
mod used;

use std::collections::BTreeMap;

use proc_macro2::{LexError, Span, TokenStream};
use syn::{Attribute, Visibility};

use crate::diagnostic::{Diagnostic, Position};
use crate::errors::Errors;
use crate::lower::machine::Described;
use crate::text_file;
use cain_vision::declaration::{Declaration, Value};

pub use filter::{Filter, Meaning};
pub use used::Load;

/// A program that a text declares.
pub struct Declared {
    /// Its name, which is that of the declaration too.
    pub name: String,
    /// The place of the name.
    pub at: Span,
    /// The attributes that are not read here, such as its documentation.
    pub attributes: Vec<Attribute>,
    /// Its visibility.
    pub visibility: Visibility,
    /// Where it says what may interrupt it.
    pub interruptible: Option<Span>,
    /// What it computes.
    pub declaration: Declaration,
    /// The place of what makes each value of the declaration.
    pub spans: Vec<Span>,
    /// The names of values, as the program itself gives them.
    pub names: BTreeMap<Value, String>,
    /// What is said where there is no room for planes between the steps in which a number of a wide range is added to levels.
    pub(crate) wide: BTreeMap<Value, String>,
}

/// Reads the programs of a text that tokens are, which can call the filters and networks beside them, and those of kernel files
/// that the text uses. All mistakes are told.
pub fn parse(
    tokens: TokenStream,
    beside: &[Filter],
    load: &mut Load<'_>,
) -> Result<Vec<Declared>, Vec<Diagnostic<Span>>> {
    parse_in((Place::Macro, Described::SCAMP5), tokens, beside, load)
}

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a source file, whose compiler sees the attributes of programs too.
    Macro,
    /// In a file of its own, or in a kernel file.
    File,
}

fn parse_in(
    (place, machine): (Place, Described),
    tokens: TokenStream,
    beside: &[Filter],
    load: &mut Load<'_>,
) -> Result<Vec<Declared>, Vec<Diagnostic<Span>>> {
    let mut errors = Errors::default();
    let file = parse::file(tokens, (place, machine), &mut errors);
    let callable = used::all(&file, beside, load, &mut errors);
    // What could be read may be wrong as well.
    let programs = lower::file(file, &callable, &mut errors);
    if errors.is_empty() {
        return Ok(programs);
    }
    Err(errors.into_list().into_iter().map(|(place, message)| Diagnostic { place, message }).collect())
}

/// What is said about a text that does not lex.
const NO_TOKENS: &str = "brackets, quotes or comments do not match here: one is not closed, or a bracket closes none";

/// The message about a character with which no token begins, if one is at a place.
fn strange(text: &str, place: Span) -> Option<String> {
    let start = place.start();
    let found = text.lines().nth(start.line.checked_sub(1)?)?.chars().nth(start.column)?;
    let is_sign = found.is_ascii_graphic() && !matches!(found, '`' | '\\');
    if is_sign || found.is_alphabetic() || found.is_whitespace() {
        return None;
    }
    // Those that cannot be seen are only told by their number.
    let is_seen = found == '\\' || found.escape_debug().count() == 1;
    let seen = if is_seen { format!("`{found}`, ") } else { String::new() };
    Some(format!("the character {seen}U+{:04X}, has no meaning here", u32::from(found)))
}

/// Reads the programs of a file, as [`parse`] does.
pub fn read(text: &str, beside: &[Filter], load: &mut Load<'_>) -> Result<Vec<Declared>, Vec<Diagnostic>> {
    read_for(Described::SCAMP5, text, beside, load)
}

/// [`read`] for another machine, unless the file itself describes one.
pub(crate) fn read_for(
    machine: Described,
    text: &str,
    beside: &[Filter],
    load: &mut Load<'_>,
) -> Result<Vec<Declared>, Vec<Diagnostic>> {
    let text = text_file::without_mark(text);
    let parsed = match text.parse() {
        Ok(tokens) => parse_in((Place::File, machine), tokens, beside, load),
        Err(error) => {
            let place = LexError::span(&error);
            let message = strange(text, place).unwrap_or_else(|| NO_TOKENS.to_owned());
            Err(vec![Diagnostic { place, message }])
        }
    };
    parsed.map_err(|problems| {
        let mut problems: Vec<Diagnostic> = problems
            .into_iter()
            .map(|Diagnostic { place, message }| Diagnostic { place: Position::of(place), message })
            .collect();
        problems.sort_by_key(|problem| problem.place);
        problems
    })
}
