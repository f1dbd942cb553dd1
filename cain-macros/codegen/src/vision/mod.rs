//! The language of whole programs: frames after frames, with states, numbers that the host sets, loops and decisions.
//!
//! It lexes as Rust, so that the macro, files of their own and kernel files share one parser. A text is parsed to a
//! tree and lowered to declarations of [`cain_vision`], value by value.
//!
//! ```text
//! file      = ["#![machine(" option* ")]"] (program | function | constant)*
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
//! # Values
//!
//! A name is of one kind, which follows from its value: a plane of levels, a plane of bits, a plane of numbers of a few bits
//! (`digits`), a number or a truth value of the controller, or something that is known while the program is compiled: an exact
//! number, a truth value, a matrix, a list. Tuples, points, boxes and regions have parts. Constants and numbers of the controller
//! become levels beside levels, and truth values become bits beside bits; nothing else changes its kind by itself.
//!
//! - `x@east` is what the neighbour in the east has; `x@(3 east, 2 south)` and `x@(3, -2)` are the same: PEs to the east, then PEs
//!   to the north, for every kind of plane. Directions are pairs of numbers too, so `x@d` goes with `for d in [north, east]`. What
//!   is read outside of the array is 0 in planes of bits and not defined in planes of levels.
//! - Matrices are those of filters: `[[1, 2, 1]] * x`, row 0 in the north, `at [row, column]` for another origin.
//! - `/` and `%` of numbers of the controller round down; numbers that are known are exact, `1/8 * x`.
//! - A comparison of levels is one of real numbers, so `==` is refused; `&`, `|`, `^` and `!` combine bits, and truth values.
//! - `if` on a truth value of the controller carries out one branch. `if` on bits carries out both, and each PE takes its own; so
//!   does `where`.
//! - `digits(x, n)` is the code of a level, of 2^n steps from −128 to 128, and `levels(q)` the middle of the step; `q + 1` and
//!   `q - r` end at the largest number and at 0; `q[i]` is a bit, 0 the lowest.
//! - A `var` is carried through loops and comes out of branches. It keeps its kind in a loop: `var sum: levels = 0`.
//! - A state has the value from before the frame wherever it is read. Before the first frame it is what stands behind `=`, with
//!   the inputs and parameters of the first frame. `next` gives it another one, once on each path; with a range it stays in it.
//!
//! # Functions
//!
//! | call | what it is |
//! |---|---|
//! | `abs(x)`, `max(x, y, ..)`, `min(..)`, `clamp(x, low, high)`, `relu(x)` | of levels and numbers; `max` and `min` of `digits` too |
//! | `median(x, shape)` | the middle of the values at the weights of a matrix that are not 0: `cross`, `square` or another one; of levels and bits |
//! | `any(b)`, `count(b)`, `sum(x)`, `sum(x, region)` | numbers that are read out; sums are in steps of the converter |
//! | `bounds(b)`, `first(b)` | a box `.top .left .bottom .right .found`, a point `.row .column .found` |
//! | `events(b, n)` | a result: the places of at most n bits |
//! | `inside(r)`, `point(p)`, `rows(a..=b)`, `columns(a..=b)`, `border()`, `everywhere()`, `outside(d)` | planes of bits; `r` is a region, a box or `(top, left, height, width)`, `p` a point or `(row, column)` |
//! | `pattern(rows = (value, free), columns = (value, free))` | PEs whose addresses agree with values but for free bits |
//! | `region(top, left, height, width)` | a region |
//! | `shift(x, dx, dy)`, `shift(x, pair)` | a plane moved to the east and to the north, by numbers of the controller too |
//! | `move(x, direction, b)` | what comes from behind where bits are 1 |
//! | `dilate(b, shape, n)`, `erode(..)`, `open(..)`, `close(..)` | n times with a shape; `cross` and once without them |
//! | `flood(seeds, mask, steps, outside, directions, most)` | what is reached in the mask in so many steps, or `until stable` |
//! | `all(..)`, `either(..)`, `odd(..)`, `at_least(k, list)`, `run(k, ring)` | of bits or truth values, or of a list of them; `run` is whether k neighbours in a ring are 1 |
//! | `neighbours(x, shape)`, `middle(list)` | a list of what is around, the middle one of an odd number |
//! | `argmin(v in list, n)`, `argmax(v in list, n)` | the element with the least, or largest number; the first one of several |

mod lower;
mod parse;
mod prelude;
mod tree;

use proc_macro2::{LexError, Span, TokenStream};
use syn::{Attribute, Visibility};

use crate::diagnostic::{Diagnostic, Position};
use crate::errors::Errors;
use crate::text_file;
use cain_vision::declaration::Declaration;

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
    /// What it computes.
    pub declaration: Declaration,
    /// The place of what makes each value of the declaration.
    pub spans: Vec<Span>,
}

/// Reads the programs of a text that tokens are. All mistakes are told.
pub fn parse(tokens: TokenStream) -> Result<Vec<Declared>, Vec<Diagnostic<Span>>> {
    let mut errors = Errors::default();
    let file = parse::file(tokens, &mut errors);
    // What could be read may be wrong as well.
    let programs = lower::file(file, &mut errors);
    if errors.is_empty() {
        return Ok(programs);
    }
    Err(errors.into_list().into_iter().map(|(place, message)| Diagnostic { place, message }).collect())
}

/// What is said about a text that does not lex.
const NO_TOKENS: &str = "brackets, quotes or comments do not match here: one is not closed, or a bracket closes none";

/// Reads the programs of a file.
pub fn read(text: &str) -> Result<Vec<Declared>, Vec<Diagnostic>> {
    let text = text_file::without_mark(text);
    let parsed = match text.parse() {
        Ok(tokens) => parse(tokens),
        Err(error) => Err(vec![Diagnostic { place: LexError::span(&error), message: NO_TOKENS.to_owned() }]),
    };
    parsed.map_err(|problems| {
        let mut problems: Vec<Diagnostic> = problems
            .into_iter()
            .map(|Diagnostic { place, message }| Diagnostic { place: position(place), message })
            .collect();
        problems.sort_by_key(|problem| problem.place);
        problems
    })
}

/// The place of a token in a text that was read by [`read`].
#[must_use]
pub fn position(span: Span) -> Position {
    let start = span.start();
    Position { line: start.line, column: start.column + 1 }
}
