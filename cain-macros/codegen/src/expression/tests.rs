//! Expressions in kernel files and in the macro.

use cain_digital::{Declaration, Formula, Logic};
use cain_isa::Displacement;
use quote::quote;

use crate::emit::digital::formulas;
use crate::kernel_file::parse_any;
use crate::kinds::Item;
use crate::kinds::{Digital, Kind as _};
use crate::plan_file::PlanFolder;
use crate::plans::{Mode, Plans};
use crate::tree::Overrides;

/// A file with expressions for the outputs, of inputs `A`, of one bit, and `N`, of two.
fn file(outputs: &[(&str, &str)]) -> String {
    let outputs: Vec<String> = outputs.iter().map(|(name, text)| format!("outputs.{name} = \"{text}\"\n")).collect();
    let outputs = outputs.concat();
    format!("[f]\ninputs = [\"A\", \"N\"]\nbits = {{ A = 1, N = 2 }}\nsearch = {{ isa = \"digital\" }}\n{outputs}")
}

fn declared(outputs: &[(&str, &str)]) -> Declaration {
    match parse_any(&file(outputs), Overrides::default()).unwrap().remove(0) {
        Item::Digital(filter) => filter.of.declaration,
        other => panic!("{other:?}"),
    }
}

/// Expects one message about the only output, at a column of the text.
#[track_caller]
fn expect(text: &str, column: usize, message: &str) {
    let problems = parse_any(&file(&[("C", text)]), Overrides::default()).unwrap_err();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [format!("5:{}: {message}", column + 13)], "{text}");
}

#[test]
fn operators_bind_as_in_rust() {
    let [a, east] = [0, 1].map(|x| Logic::pixel(0, Displacement::new(x, 0)));
    let not = |logic: &Logic| Logic::Not(Box::new(logic.clone()));
    let bit = Logic::Pixel { input: 1, bit: 1, at: Displacement::new(1, 1) };
    let all = Logic::All(vec![not(&east), a.clone()]);
    let wanted = Logic::Any(vec![a.clone(), Logic::Odd(vec![bit, all])]);
    let declaration = declared(&[("C", "A | N[1]@northeast ^ !A@east & A")]);
    assert_eq!(declaration.outputs[0].formula, Formula::Logic(wanted));
}

/// What is printed is read as the same again.
#[test]
fn texts_of_expressions() {
    for (text, printed) in [
        ("A", "A"),
        ("!!A&(N[0]|1)", "A & (N[0] | 1)"),
        ("maj(A, A@east, A@west,)", "maj(A, A@east, A@west)"),
        ("(A ^ A@north)@north@east", "A@northeast ^ A@northeast@north"),
        ("!(A & N[1]@southwest@west)", "!(A & N[1]@southwest@west)"),
        ("count(A, A@east) == 1 & count(A, N[0]) <= 1", "count(A, A@east) == 1 & count(A, N[0]) <= 1"),
        ("count(A, A@east, N[0]) < 2", "!maj(A, A@east, N[0])"),
        ("mux(A, 0, N[1])", "A & 0 | !A & N[1]"),
    ] {
        let first = declared(&[("C", text)]);
        let line = formulas(&first).remove(0);
        assert_eq!(line, format!("C = {printed}"));
        assert_eq!(declared(&[("C", printed)]).outputs, first.outputs);
    }
}

#[test]
fn outputs_refer_to_each_other() {
    let declaration = declared(&[("C", "D@east | D"), ("D", "A & A@west")]);
    assert_eq!(formulas(&declaration), ["C = A@east & A | A & A@west", "D = A & A@west"]);
}

#[test]
fn mistakes_are_reported_at_their_places() {
    expect("A & B", 5, "unknown name `B`; expected `A`, `N` or `C`");
    expect("A@est", 3, "`f.outputs.C`: unknown direction `est`; did you mean `east`?");
    expect("N | A", 1, "`N` has 2 bits; say which one, from `N[0]`, the lowest");
    expect("N[2]", 3, "the highest bit of `N` is `N[1]`");
    expect("A & C@east", 5, "`C` is defined by itself: `C`, which reads `C`");
    expect("max(A, N[0])", 1, "`f.outputs.C`: unknown function `max`; did you mean `maj`?");
    expect("maj(A, N[0])", 1, "`f.outputs.C`: `maj` takes an odd number of bits, so that there is a majority");
    expect("count(A, N[0])", 15, "`f.outputs.C`: expected a comparison such as `== 3` or `>= 2`");
    expect("(A | N[0]", 10, "`f.outputs.C`: expected `)`, `&`, `^` or `|`");
    expect("A A", 3, "`f.outputs.C`: expected `&`, `^`, `|` or the end of the expression, found `A`");
    expect("", 1, "`f.outputs.C`: expected a name, `0`, `1`, `!`, `(`, `maj(..)`, `mux(..)` or `count(..)`");
    let far = "A".to_owned() + &"@east".repeat(64);
    let problems = parse_any(&file(&[("C", &far)]), Overrides::default()).unwrap_err();
    assert_eq!(problems[0].message, "the kernel reaches farther than 63 PEs");
    let deep = format!("{}A{}", "(".repeat(100_000), ")".repeat(100_000));
    let problems = parse_any(&file(&[("C", &deep)]), Overrides::default()).unwrap_err();
    assert_eq!(problems[0].message, "`f.outputs.C`: brackets are nested more than 128 deep here");
}

#[test]
fn cycles_and_growth_end() {
    let problems = parse_any(&file(&[("C", "D & A"), ("D", "!E"), ("E", "D | A")]), Overrides::default()).unwrap_err();
    let message = "`D` is defined by itself: `D`, which reads `E`, which reads `D`";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [format!("7:14: {message}")]);

    let names: Vec<String> = (0..200).map(|i| format!("O{i}")).collect();
    let texts: Vec<String> =
        (0..200).map(|i| if i == 0 { "A".to_owned() } else { format!("O{0}^O{0}@east", i - 1) }).collect();
    let outputs: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let problems = parse_any(&file(&outputs), Overrides::default()).unwrap_err();
    assert!(problems[0].message.contains("more than 2000 operations"), "{:?}", problems[0]);
}

/// What is written once may stand for much: a condition for two parts, and a name for a whole function. That is refused before
/// it grows.
#[test]
fn large_functions_are_refused_while_they_are_read() {
    let large = "the expression has more than 2000 operations and bits, with those that it refers to";
    let refused = |outputs: &[(&str, &str)]| {
        let problems = parse_any(&file(outputs), Overrides::default()).unwrap_err();
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(messages, [large]);
    };
    refused(&[("C", &(0..100).fold("A".to_owned(), |inner, _| format!("mux({inner}, A, A)")))]);
    refused(&[("C", &vec!["D"; 100_000].join(" & ")), ("D", &vec!["A"; 1500].join(" ^ "))]);
    refused(&[("C", &vec!["(D | D)"; 50_000].join(" & ")), ("D", &vec!["A"; 1500].join(" ^ "))]);
}

#[test]
fn other_filters_take_no_expressions() {
    let text = "[f]\ninputs = [\"A\"]\noutputs.C = \"A & A@east\"\n";
    let problems = parse_any(text, Overrides::default()).unwrap_err();
    let message = "only digital filters take expressions of bits; add `search = { isa = \"digital\" }`";
    assert!(problems.iter().any(|problem| problem.message == message), "{problems:?}");
}

#[test]
fn expressions_in_the_macro() {
    let expand = |tokens| crate::expand_with(quote!([rt] #tokens), |_| None, &Plans::none()).to_string();
    let good = expand(quote! {
        #[search(isa = digital, bits = (A = 1, N = 2), nodes = 200)]
        fn f(A, N) -> (C, n) { C = count(A, A@east) >= 1 & !N[1]; n = [[1]] * N; }
    });
    assert!(!good.contains("compile_error"), "{good}");
    assert!(good.contains("C = count(A, A@east) >= 1 & !N[1]; n = [1] * N"), "{good}");
    for (filter, message) in [
        (quote!(fn f(A) -> C = A & B;), "unknown name `B`; expected `A` or `C`"),
        (quote!(fn f(A) -> C = A @ up;), "unknown direction `up`; expected `north`"),
        (quote!(fn f(A) -> C = A &;), "expected a name, `0`, `1`, `!`"),
        (quote!(fn f(A) -> C = A), "expected `;` after the expression"),
    ] {
        let expansion = expand(quote!(#[search(isa = digital, bits = 1)] #filter));
        assert!(expansion.contains(message), "{message}: {expansion}");
    }
}

#[test]
fn builds_use_plan_files() {
    let folder = tempfile::tempdir().unwrap();
    let plans = Plans::new(Mode::Locked, Some(PlanFolder::new(folder.path(), "plans")));
    let expand = |bits: u32| {
        let bits = proc_macro2::Literal::u32_unsuffixed(bits);
        let filter = quote!([rt] #[search(isa = digital, bits = (A = #bits, N = 2))] fn f(A, N) -> C = A[0] & !N[1];);
        crate::expand_with(filter, |_| None, &plans).to_string()
    };
    assert!(expand(2).contains("plans/f.scamp: the filter has no plan, and with `CAIN_PLANS=locked` none is searched"));
    let declaration = Declaration { nodes: 100, ..declared(&[("C", "A[0] & !N[1]")]) };
    let solution = cain_digital::search(&declaration).unwrap();
    std::fs::write(folder.path().join("f.scamp"), Digital::plan_file(&solution).to_string()).unwrap();
    let good = expand(1);
    assert!(!good.contains("compile_error"), "{good}");
    assert!(good.contains("include_bytes"), "{good}");
    let message = "plans/f.scamp:2:19: the plan is for another filter or other options: `declaration: f(A: 1, N: 2)";
    assert!(expand(2).contains(message), "{}", expand(2));
}
