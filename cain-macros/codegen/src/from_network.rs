//! `scamp_network! { .. }`: networks in a source file.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use cain_search::network::CompiledNetwork;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;

use crate::emit::{self, depend_on_file};
use crate::errors::Errors;
use crate::generate::{in_pixel_program, network_program};
#[cfg(feature = "blocks")]
use crate::kernel_file::{AnyFilter, Position};
use crate::kernel_file::{DeclaredInPixel, DeclaredNetwork, Diagnostic, in_pixel_of_table, networks_of_table};
use crate::lower::machine::Described;
use crate::plan_file::PlanPath;
use crate::plans::{Mode, Plans};
use crate::surroundings::Surroundings;
use crate::syntax::network::{Block, NetworkItem, Table, parse};

/// Expands to functions, plans and compile errors; `source` is the source file with the call. A network that could be read
/// becomes a function even if there is no program for it or another one has mistakes, so that its callers compile.
pub(crate) fn expand(
    input: TokenStream,
    surroundings: &Surroundings<'_>,
    source: Option<&Path>,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let Block { runtime, machine, items, errors: mistakes } = parse(input, surroundings);
    let is_readable = mistakes.is_empty();
    errors.append(mistakes);
    let package = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = source.and_then(Path::parent).map(Path::to_owned).or_else(package).unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut output = TokenStream::new();
    for item in items {
        if !names.insert(item.name.unraw().to_string()) {
            errors.add(item.name.span(), format_args!("network `{}` is declared twice; rename one", item.name));
            continue;
        }
        // With a part that could not be read there would be mistakes that are none.
        if !item.is_readable {
            continue;
        }
        output.extend(item.assumptions.iter().map(|assumption| emit::agreement(assumption, &item.attributes)));
        let mut mistakes = Errors::default();
        let place_of = item.table.spans();
        let mut report = |Diagnostic { place, message }: Diagnostic| mistakes.add(place_of(place), message);
        if item.is_in_pixel {
            match in_pixel_of_table(item.table.text(), machine, &folder) {
                Err(problems) => problems.into_iter().for_each(&mut report),
                Ok(found) => {
                    let plans = if is_readable { plans } else { &Plans { mode: Mode::Stub, folder: None } };
                    output.extend(
                        found.iter().map(|found| in_pixel(&item, found, &runtime, &folder, plans, &mut report)),
                    );
                }
            }
            errors.append(mistakes);
            continue;
        }
        match read(&item.table, machine, &folder) {
            Err(problems) => problems.into_iter().for_each(&mut report),
            Ok(Some(declared)) => {
                let program = if is_readable { network_program(&declared, plans) } else { Ok(None) };
                let program = program.map_err(&mut report).ok().flatten();
                output.extend(network(&item, &declared, &runtime, &folder, program, &mut report));
            }
            Ok(None) => {}
        }
        errors.append(mistakes);
    }
    output
}

/// The network of a table, with weights in files of that folder.
pub(crate) fn read(
    table: &Table,
    machine: Described,
    folder: &Path,
) -> Result<Option<DeclaredNetwork>, Vec<Diagnostic>> {
    networks_of_table(table.text(), machine, folder).map(|networks| networks.into_iter().next())
}

/// The function of a network, a stub without a program.
fn network(
    item: &NetworkItem,
    declared: &DeclaredNetwork,
    runtime: &TokenStream,
    folder: &Path,
    program: Option<(CompiledNetwork, Option<PlanPath>)>,
    mut report: impl FnMut(Diagnostic),
) -> Option<TokenStream> {
    let (compiled, plan) = program.unzip();
    let function = emit::network::function(&emit::network::Function {
        runtime,
        attributes: &item.attributes,
        visibility: &item.visibility,
        name: &item.name,
        network: &declared.network,
        compiled: compiled.as_ref(),
    });
    let function = function.map_err(|(layer, message)| report(declared.diagnostic(Some(layer), &message))).ok()?;
    let weights = declared.weight_files.iter().map(|file| folder.join(file));
    let files = depend_on_files(weights.chain(plan.flatten().map(|plan| plan.path)));
    Some(quote!(#function #(#files)*))
}

/// The function of a network in the pixels, a stub without programs.
fn in_pixel(
    item: &NetworkItem,
    declared: &DeclaredInPixel,
    runtime: &TokenStream,
    folder: &Path,
    plans: &Plans,
    report: impl FnMut(Diagnostic),
) -> TokenStream {
    let compiled = in_pixel_program(declared, plans).map_err(report).ok().flatten();
    let function = emit::in_pixel::function(&emit::in_pixel::Function {
        runtime,
        attributes: &item.attributes,
        visibility: &item.visibility,
        name: &item.name,
        network: &declared.network,
        compiled: compiled.as_ref(),
    });
    let files = depend_on_files(declared.weight_files.iter().map(|file| folder.join(file)));
    quote!(#function #(#files)*)
}

/// Items by which the crate depends on files. What is not UTF-8 cannot be written as a literal; builds just do not notice
/// changes of that file.
fn depend_on_files(files: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = TokenStream> {
    files.filter_map(|file| std::path::absolute(file).ok()?.to_str().map(depend_on_file))
}

/// The networks that a block of a source file declares, for tools, and its mistakes.
#[cfg(feature = "blocks")]
pub(crate) fn declared(
    input: TokenStream,
    surroundings: &Surroundings<'_>,
    folder: &Path,
) -> (Vec<AnyFilter>, Vec<Diagnostic>) {
    let Block { machine, items, errors, .. } = parse(input, surroundings);
    let position = |span: Span| {
        let start = span.start();
        Position { line: start.line, column: start.column + 1 }
    };
    let problem = |(span, message)| Diagnostic { place: position(span), message };
    let mut problems: Vec<_> = errors.into_list().into_iter().map(problem).collect();
    let mut networks = Vec::new();
    for item in items.iter().filter(|item| item.is_readable) {
        let place_of = item.table.spans();
        let placed = |place| position(place_of(place));
        let found = if item.is_in_pixel {
            in_pixel_of_table(item.table.text(), machine, folder).map(|found| {
                let network = |network: DeclaredInPixel| AnyFilter::InPixel(Box::new(network.placed(placed)));
                found.into_iter().map(network).collect::<Vec<_>>()
            })
        } else {
            let network = |network: DeclaredNetwork| AnyFilter::Network(Box::new(network.placed(placed)));
            read(&item.table, machine, folder).map(|found| found.map(network).into_iter().collect())
        };
        match found {
            Ok(found) => networks.extend(found),
            Err(mistakes) => problems.extend(
                mistakes.into_iter().map(|problem| Diagnostic { place: position(place_of(problem.place)), ..problem }),
            ),
        }
    }
    if problems.is_empty() { (networks, problems) } else { (Vec::new(), problems) }
}

#[cfg(test)]
mod tests {
    use super::expand;
    use crate::errors::Errors;
    use crate::plans::{Mode, Plans};
    use crate::surroundings::Surroundings;

    /// The source text under each mistake, and its message.
    fn mistakes(networks: &str) -> Vec<(String, String)> {
        let mut errors = Errors::default();
        let input = format!("[rt] {networks}").parse().unwrap();
        expand(input, &Surroundings::unknown(), None, &Plans::none(), &mut errors);
        errors.underlined()
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
            &[("[[[-1, 0, 1]], [[1, 2]]]", "kernel"), ("treshold", "did you mean `threshold`?")],
        );
        expect(&with("a = relu { colour = 3 }; p = plane;"), &[("colour", "unknown key `colour`")]);
        expect(&with("p = plane { from = q };"), &[("q", "unknown layer `q`")]);
        expect(&with("p = windows { size = 1/2 + 3 };"), &[("+", "expected a number such as `-3`")]);
        expect(&with("a = relu p = plane;"), &[("p", "expected `;` behind the layer")]);
        expect(&with("w = dense { weights = \"none.npy\" };"), &[("\"none.npy\"", "cannot be read")]);
        expect("network n { a = relu; }", &[("n", "network `n` has no input")]);
        expect("fn n { }", &[("fn", "expected a network such as")]);
        expect(
            "netwrk a { } pub network b { a = relu; } #[search = 3] network c { } #[search(nodes = 3)] network d { input = 3; }",
            &[
                ("netwrk", "expected a network such as"),
                ("b", "network `b` has no input"),
                ("=", "expected parentheses"),
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
            &with(&format!("{layers} l = logic {{ from = [image, b], expressions = \"b\" }}; p = plane;")),
            &[("[image, b]", "reads 1 map of 8×8 pixels; expected bits that stand for 0 and 1")],
        );
    }

    /// Neither keys of tables that nobody wrote nor quotes that the macro does not have.
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

    /// Whether another one has a mistake, or there is no program.
    #[test]
    fn networks_that_could_be_read_have_functions() {
        let good = with("a = convolution { kernels = [[[1, 2, 1]]] }; p = plane;").replace("network n", "network good");
        let locked = Plans { mode: Mode::Locked, ..Plans::none() };
        for (networks, plans) in [
            (format!("{good} netwrk bad {{ }}"), Plans::none()),
            (format!("{good} {}", with("p = plan;")), Plans::none()),
            (good.clone(), locked),
        ] {
            let mut errors = Errors::default();
            let input = format!("[rt] {networks}").parse().unwrap();
            let output = expand(input, &Surroundings::unknown(), None, &plans, &mut errors).to_string();
            assert!(!errors.is_empty() && output.contains("fn good"), "{networks} {errors:?}");
        }
    }

    #[test]
    fn results_are_numbers_with_names_that_fields_can_have() {
        expect(&with("a = relu; b = abs { from = image }; p = plane;"), &[("a", "no other layer reads these maps")]);
        let file = "network n { input = { size = 8, levels = -60..60 }; self = plane; }";
        expect(file, &[("self", "no field of the result can have this name")]);
    }
}
