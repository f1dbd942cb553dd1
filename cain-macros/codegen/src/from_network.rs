//! `scamp_network! { .. }`: networks in a source file.

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;

use crate::conditions::Conditions;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::twice;
use crate::emit::{self, Frame};
use crate::errors::{Errors, Mistakes};
use crate::from_file;
#[cfg(feature = "blocks")]
use crate::kernel_file::Position;
use crate::kinds::beside::{Beside, in_folder};
use crate::kinds::{self, Item, Table};
use crate::lower::machine::Described;
use crate::plans::Plans;
use crate::surroundings::Surroundings;
use crate::syntax::network::{Block, NetworkItem, parse};
use crate::taken::Names;
use crate::tree::At;
use crate::value::Entry;

/// Expands to functions, plans and compile errors; `source` is the source file with the call. A network that could be read
/// becomes a function even if there is no program for it or another one has mistakes, so that its callers compile.
pub(crate) fn expand(
    input: TokenStream,
    surroundings: &Surroundings<'_>,
    source: Option<&Path>,
    plans: &Plans,
    mistakes: &mut Vec<Mistakes>,
) -> TokenStream {
    let Block { runtime, machine, items, errors } = parse(input, surroundings);
    let runtime = &runtime;
    // In a build that leaves out an item with mistakes, the others have programs.
    let is_readable = errors.is_empty()
        && items.iter().all(|item| match item {
            Ok(item) => item.errors.is_empty() || !Conditions::of(&item.attributes).is_empty(),
            Err(unread) => !unread.conditions.is_empty(),
        });
    mistakes.push(errors.into());
    let plans = if is_readable { plans } else { &Plans::none() };
    let folder = from_file::folder(source);
    let mut names = Names::default();
    let mut output = TokenStream::new();
    for item in items {
        mistakes.push(item.map_or_else(
            |unread| unread,
            |mut item| {
                let mut errors = std::mem::take(&mut item.errors);
                let conditions = Conditions::of(&item.attributes);
                if let Some(first) = names.earlier(&item.name, &conditions) {
                    let first = surroundings.place_of(first).map(|place| place.position.line);
                    errors.add(item.name.span(), twice("network", &item.name, first));
                } else if errors.is_empty() {
                    // With a part that could not be read there would be mistakes that are none.
                    output.extend(expand_item(&item, machine, (runtime, &folder), plans, &mut errors));
                }
                errors.sort_by_key(|span| surroundings.place_of(*span).map(|place| place.position));
                Mistakes { conditions, errors }
            },
        ));
    }
    output
}

/// The function of an item, if there is one.
fn expand_item(
    item: &NetworkItem,
    machine: Described,
    place: (&TokenStream, &Path),
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let agreements = item.assumptions.iter().map(|assumption| emit::agreement(assumption, &item.attributes));
    let mut output: TokenStream = agreements.collect();
    let (runtime, folder) = place;
    if let Some(declared) = read(item, machine, folder, errors) {
        let NetworkItem { attributes, visibility, name, .. } = item;
        let frame = Frame { runtime, attributes, visibility, name };
        let expanded = declared.expand(&frame, plans, |problem| {
            let Diagnostic { place, message } = problem.into();
            errors.add(place, message);
        });
        output.extend(expanded.tracked(declared.files(folder)));
    }
    output
}

/// What an item declares, with weights in files of that folder.
fn read(item: &NetworkItem, machine: Described, folder: &Path, errors: &mut Errors<Span>) -> Option<Item<Span>> {
    let plain = item.name.unraw().to_string();
    let name = &At { value: plain.as_str(), at: item.name.span() };
    let entry = &Entry::of(&plain, &item.table);
    let mut read = in_folder(folder);
    kinds::of_table(item.kind, Table { name, entry, machine }, &mut Beside::new(&mut read), errors)
}

/// The networks that a block of a source file declares, for tools, and its mistakes.
#[cfg(feature = "blocks")]
pub(crate) fn declared(
    input: TokenStream,
    surroundings: &Surroundings<'_>,
    folder: &Path,
) -> (Vec<Item>, Vec<Diagnostic>) {
    let Block { machine, items, errors, .. } = parse(input, surroundings);
    let problem = |(span, message)| Diagnostic { place: Position::of(span), message };
    let mut problems: Vec<_> = errors.into_list().into_iter().map(problem).collect();
    let mut networks = Vec::new();
    for item in items {
        let item = match item {
            Ok(item) if item.errors.is_empty() => item,
            Ok(NetworkItem { errors, .. }) | Err(Mistakes { errors, .. }) => {
                problems.extend(errors.into_list().into_iter().map(problem));
                continue;
            }
        };
        let mut errors = Errors::default();
        networks.extend(read(&item, machine, folder, &mut errors).map(|declared| declared.placed(Position::of)));
        problems.extend(errors.into_list().into_iter().map(problem));
    }
    problems.sort_by_key(|problem| problem.place);
    if problems.is_empty() { (networks, problems) } else { (Vec::new(), problems) }
}

#[cfg(test)]
mod tests {
    use super::expand;
    use crate::plans::{Mode, Plans};
    use crate::surroundings::Surroundings;

    /// The source text under each mistake, and its message.
    fn mistakes(networks: &str) -> Vec<(String, String)> {
        let mut mistakes = Vec::new();
        let input = format!("[rt] {networks}").parse().unwrap();
        expand(input, &Surroundings::unknown(), None, &Plans::none(), &mut mistakes);
        mistakes.iter().flat_map(|mistakes| mistakes.errors.underlined()).collect()
    }

    /// A network with these layers.
    fn with(layers: &str) -> String {
        format!("network n {{ input = {{ size = [8, 8], levels = -60..60 }}; {layers} }}")
    }

    #[track_caller]
    fn expect(networks: &str, expected: &[(&str, &str)]) {
        let found = mistakes(networks);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((text, message), (place, part)) in found.iter().zip(expected) {
            assert!(text == place && message.contains(part), "{found:?}");
        }
    }

    #[test]
    fn values_need_quotes_only_where_rust_does() {
        expect(
            &with(
                "a = convolution { scale = 1/4, kernels = [[[-1, 0, 1e0], [0.5, -0.25, 1.,]]], padding = [1, 0] };
                 b = leaky_relu { slope = 1/8 };
                 c = max_pool { size = 2 };
                 d = threshold { from = c, at = -1_0, inclusive = true, values = [-1, 1], };
                 e = maximum { from = [d, d] };
                 type = plane;",
            ),
            &[],
        );
    }

    #[test]
    fn mistakes_are_where_they_were_made() {
        expect(
            &with("edge = convolution { kernels = [[[-1, 0, 1]], [[1, 2]]] }; bits = treshold { at = 3 };"),
            &[("treshold", "did you mean `threshold`?"), ("[[[-1, 0, 1]], [[1, 2]]]", "kernel")],
        );
        expect(&with("a = relu { colour = 3 }; p = plane;"), &[("colour", "unknown key `colour`")]);
        expect(&with("p = plane { from = q };"), &[("q", "unknown layer `q`")]);
        expect(&with("p = windows { size = 1/2 + 3 };"), &[("+", "expected a number such as `-3`")]);
        for (number, at, message) in [
            (
                "-60...5",
                ".",
                "a range has two points, as in `-60..60`; a number after it begins with a digit, as in `0.5`",
            ),
            ("60 . 5", ".", "expected a number such as `-3`"),
            ("-6 0..60", "0", "expected a number such as `-3`"),
            ("-60..", ".", "expected a number such as `-3`"),
            ("-60..60..70", ".", "expected a number such as `-3`"),
            ("1/ /2", "/", "expected a number such as `-3`"),
        ] {
            let network = with("p = plane;").replace("-60..60", number);
            expect(&network, &[(at, message)]);
        }
        expect(&with("a = relu p = plane;"), &[("p", "expected `;` after the layer, or `{ key = value }` before it")]);
        expect(&with("w = dense { weights = \"none.npy\" };"), &[("\"none.npy\"", "cannot be read")]);
        expect("network n { a = relu; }", &[("n", "network `n` has no input")]);
        expect("fn n { }", &[("fn", "expected a network such as")]);
        expect(
            "netwrk a { } pub network b { a = relu; } #[search = 3] network c { } #[search(nodes = 3)] network d { input = 3; }",
            &[
                ("netwrk", "expected a network such as"),
                ("b", "network `b` has no input"),
                ("=", "expected parentheses"),
                ("3", "`input`: expected keys in braces"),
                ("d", "network `d` has no layers"),
            ],
        );
        let twice = with("p = plane;").repeat(2);
        expect(&twice, &[("n", "network `n` is declared twice")]);
    }

    #[test]
    fn mistakes_in_expressions_are_told() {
        let layers = "b = threshold { at = 3 }; d = digital { kernels = [[[1, 1]], [[1, 0]]] };";
        expect(
            &with(&format!("{layers} l = logic {{ from = d, expressions = [\"e\", \"d\", \"d[2]\", \"d[0]\"] }};")),
            &[
                ("\"e\"", "unknown name `e`; expected `d`"),
                ("\"d\"", "`d` has several maps, `d[0]` to `d[1]`; say which one"),
                ("\"d[2]\"", "`d` has several maps"),
                (
                    "\"d[0]\"",
                    "map 0 of `d` has 2 bits; expressions read numbers of several bits from layers with one map",
                ),
            ],
        );
        expect(
            &with(&format!(
                "{layers} l = logic {{ from = [image, b], expressions = \"b\" }}; p = plane; q = plane {{ from = d }};"
            )),
            &[("[image, b]", "reads 1 map of 8×8 pixels; expected bits that stand for 0 and 1")],
        );
    }

    /// Messages never mention TOML keys or quotes that the user did not write.
    #[test]
    fn messages_are_in_the_notation_of_the_macro() {
        for (layers, text, message) in [
            (
                "p = plane { op = plane };",
                "op",
                "name and operation are in front of the braces, as in `edge = convolution { .. };`; remove this",
            ),
            ("a = convolution { bias = 1 };", "a", "`kernels` is missing; add `kernels = [[[1, 2, 1]]]`"),
            (
                "a = leaky_relu { slope = [1, 2] };",
                "[1, 2]",
                "`slope`: expected a number such as `3`, `-1/16` or `0.125`, found an array",
            ),
            (
                "a = leaky_relu { slope = 1/3 };",
                "1",
                "`slope`: the slope 1/3 is not possible; expected 1/2^k, such as 1/8",
            ),
            (
                "a = relu { from = 3 };",
                "3",
                "`from`: expected the name of an earlier layer, or an array of names, found `3`",
            ),
            ("a = relu { sloppe = 3 };", "sloppe", "unknown key `sloppe`; expected `from`"),
            (
                "a = convolution { kernels = KERNELS };",
                "KERNELS",
                "`kernels`: expected for each output a kernel such as `[[1, 2, 1]]`, or an array of kernels, one for each input channel, found `KERNELS`, which is not the name of a constant around the macro",
            ),
            (
                "a = convolution { kernels = [[[01, 0, -007.50]]], stride = much };",
                "much",
                "`stride`: expected rows and columns such as `[3, 3]`, or one number for both, found `much`",
            ),
            (
                "w = dense { weights = { a = 1 } };",
                "{ a = 1 }",
                "`weights`: expected rows of weights such as `[[0.5, -0.25]]`, or a file such as `\"weights.npy\"`, found keys in braces",
            ),
            (
                "w = windows { size = 2, windows = [[0, 0, 1, 1]] };",
                "w",
                "expected either `windows = [[top, left, height, width], ..]` or the `size` of windows side by side; both are given",
            ),
        ] {
            assert_eq!(mistakes(&with(layers)), [(text.to_owned(), message.to_owned())], "{layers}");
        }
        for (network, text, message) in [
            (
                "network n { input = 3; p = plane; }",
                "3",
                "`input`: expected keys in braces such as `{ size = [28, 28], levels = -60..60 }`, found `3`",
            ),
            (
                "network n { input = { size = 8 }; p = plane; }",
                "{ size = 8 }",
                "`input`: `levels` is missing; add `levels = -60..60`",
            ),
            (
                "network n { input = { size = 8, levels = 3 }; p = plane; }",
                "3",
                "`levels`: expected the values of black and white, such as `-60..60`, found `3`",
            ),
            (
                "#[search(node = 3)] network n { input = { size = 8, levels = -60..60 }; p = plane; }",
                "node",
                "`search`: unknown key `node`; did you mean `nodes`?",
            ),
            (
                "#[search(objective = 3)] network n { input = { size = 8, levels = -60..60 }; p = plane; }",
                "3",
                "`objective`: expected a name, found `3`",
            ),
            (
                "in_pixel n { input = { size = 28 }; a = convolution { size = 4, weights = \"none.txt\" }; }",
                "{ size = 28 }",
                "`input`: `block` is missing; add `block = 32`",
            ),
        ] {
            assert_eq!(mistakes(network)[0], (text.to_owned(), message.to_owned()), "{network}");
        }
        expect(
            "in_pixel n { input = { size = 28, block = 32 }; a = convolution { size = 4, weights = \"none.txt\" }; }",
            &[
                ("a", "there is no layer with the operation `max_pool`"),
                ("a", "there is no layer with the operation `dense`"),
            ],
        );
    }

    /// Of what the compiler leaves out in every build nothing is known; otherwise its errors are left out with it.
    #[test]
    fn mistakes_have_the_conditions_of_their_networks() {
        let bad = with("p = plan;");
        expect(&format!("#[cfg(any())] {bad} #[cfg(all(unix, any()))] network {{ }}"), &[]);
        let twice = with("p = plane;");
        expect(&format!("#[cfg(unix)] {twice} #[cfg(not(unix))] {twice}"), &[]);
        let good = twice.replace("network n", "network good");
        let input = format!("[rt] {good} #[cfg(unix)] {bad} #[cfg(windows)] network {{ }}").parse().unwrap();
        let output = crate::expand_network_with(input, |_| None, &Plans::new(Mode::Auto, None)).to_string();
        for (condition, message) in [("unix", "unknown operation `plan`"), ("windows", "expected ident")] {
            let expected = format!("# [cfg ({condition})] :: core :: compile_error ! {{ \"{message}");
            assert!(output.contains(&expected), "{expected}: {output}");
        }
        assert!(output.contains("fn good") && !output.contains("has no program"), "{output}");
        assert_eq!(output.matches("compile_error").count(), 2, "{output}");
    }

    #[test]
    fn mistakes_in_automata() {
        let with = |more: &str| {
            let sizes = "size = [1, 2]; classes = 1; denominator = 8; layers = [[[[[1]], [[0]]]]];";
            format!("#![machine(registers = 8)] #[search(isa = macro)] automaton a {{ {sizes} {more} }}")
        };
        expect(&with("alive = 26; bits = { state = 12 };"), &[]);
        expect(&with("alive = 300;"), &[("300", "`alive`: expected a whole number of at most 255")]);
        expect(&with("alife = 3;"), &[("alife", "unknown key `alife`; did you mean `alive`?")]);
        expect(&with("alive 3;"), &[("3", "expected `=`")]);
        expect(&with("").replace("denominator = 8;", ""), &[("a", "has no `denominator`; add `denominator = 64;`")]);
        expect(&with("").replace("[[0]]", "[[0.5]]"), &[("0.5", "the weight 0.5 does not fit")]);
        expect(&with("").replace("registers = 8", "registers = 2"), &[("a", "the machine has 2 registers")]);
    }

    /// Whether another one has a mistake, or there is no program.
    #[test]
    fn networks_that_could_be_read_have_functions() {
        let good = with("a = convolution { kernels = [[[1, 2, 1]]] }; p = plane;").replace("network n", "network good");
        let locked = Plans::new(Mode::Locked, None);
        for (networks, plans) in [
            (format!("{good} netwrk bad {{ }}"), Plans::none()),
            (format!("{good} {}", with("p = plan;")), Plans::none()),
            (good.clone(), locked),
        ] {
            let mut mistakes = Vec::new();
            let input = format!("[rt] {networks}").parse().unwrap();
            let output = expand(input, &Surroundings::unknown(), None, &plans, &mut mistakes).to_string();
            let is_wrong = mistakes.iter().any(|mistakes| !mistakes.errors.is_empty());
            assert!(is_wrong && output.contains("fn good"), "{networks} {mistakes:?}");
        }
    }

    #[test]
    fn results_are_numbers_in_fields() {
        expect(
            &with("a = relu; b = abs { from = image }; p = plane;"),
            &[(
                "a",
                "makes 1 map of 8×8 pixels, which no other layer reads; add a layer that reads them out, `windows` or `plane`",
            )],
        );
        let file = "network n { input = { size = 8, levels = -60..60 }; self = plane; }";
        expect(file, &[]);
        let file = file.replace("network n", "network ñ");
        expect(&file, &[("ñ", "a network cannot be called `ñ`; begin with a letter")]);
    }
}
