//! Kernel files: what they declare, and the messages about mistakes.

use std::fmt::Write as _;

use cain_isa::ErrorModel;
use cain_search::{InstructionSet, MaxGain, Objective, SearchError};

use super::{Filter, find, parse};

/// The filters of a text without mistakes.
#[track_caller]
fn filters(text: &str) -> Vec<Filter> {
    parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"))
}

/// Expects these problems, as `line:column: message`.
#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    let problems = parse(text).expect_err(text);
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, expected, "{text}");
}

/// Expects one problem with a filter of one input and one output, of which `term` is the value.
#[track_caller]
fn expect_in_term(term: &str, problem: &str) {
    expect(&format!("[f]\ninputs = [\"A\"]\noutputs.A = {term}\n"), &[problem]);
}

#[test]
fn declarations() {
    let text = r#"
        [machine]
        registers = ["A", "B", "C", "D", "R0"]

        [second]
        inputs = ["B", "A"]
        keep = ["B"]
        outputs.R0 = [
            { input = "A", kernel = [[1, 0, -1]] },
            { input = "B", scale = "1/4", kernel = [[1], [2], [1]] },
        ]
        outputs.A = { input = "B", scale = 0.5, kernel = [[0x10, 1], [1_0, +1]], origin = [1, 0] }

        [first]
        doc = "No scratch."
        inputs = ["A"]
        scratch = []
        search = { nodes = 300, objective = "icws", isa = "basic", max_gain = "11/4" }
        [first.outputs]
        A.kernel = [["3/2"]]
    "#;
    let filters = filters(text);
    let declared: Vec<String> = filters.iter().map(|filter| filter.declaration.to_string()).collect();
    assert_eq!(
        declared,
        [
            "second(&B, A) -> (R0, A) using (C, D) on (registers = [A, B, C, D, R0]) { R0 = 1/4 [1; 2; 1] * B + [1 0 -1] * A; \
             A = 1/2 [0 16 1; 0 10 1; 0 0 0] * B; }",
            "first(A) -> (A) using () on (registers = [A, B, C, D, R0]) { A = 1/2 [3] * A; }",
        ]
    );
    let options = &filters[1].declaration.options;
    assert_eq!((options.nodes, filters[1].nodes, filters[0].nodes), (300, Some(300), None));
    assert_eq!((options.objective, options.instructions), (Objective::Icws, InstructionSet::Basic));
    assert_eq!(options.max_gain, MaxGain::AtMost("11/4".parse().unwrap()));
    assert_eq!(filters[1].doc.as_deref(), Some("No scratch."));
}

/// 0.11 is not a binary floating-point number: the nearest one is off by 3e-18.
#[test]
fn numbers_are_exact() {
    let text = "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[0.11, 0.52, 0.13]]\n";
    let approximated = format!("{text}approximate = {{ depth = 5, error = \"1/25\" }}");
    assert_eq!(filters(&approximated)[0].approximated.unwrap().error, "0.04".parse().unwrap());
    let too_near = format!("{text}approximate = {{ depth = 3, error = 0.0399999999999999 }}");
    expect(
        &too_near,
        &["4:36: the nearest multiples of 1/2^3 change the weights by 1/25 in all (about 0.0400); allow a larger \
           `depth` or `error`"],
    );
    expect_in_term(
        "{ kernel = [[0.11]] }",
        "3:26: 0.11 is 11/100, whose denominator is not made of twos and threes, and control words divide by nothing \
         else; the nearest multiple of 1/2^8 is 7/64, off by 1/1600; write that, or add `approximate = { depth = 8, error = 0.001 }`",
    );
    expect_in_term(
        "{ scale = \"1/5\", kernel = [[1]] }",
        "3:23: denominator 5 is not made of twos and threes, and control words divide by nothing else; the nearest \
         multiple of 1/2^8 is 51/256, off by 1/1280; write that, or add `approximate = { depth = 8, error = 0.001 }`",
    );
}

#[test]
fn bad_numbers() {
    const TOO_LARGE: &str = "the number is too large: the largest are 9223372036854775807; write a smaller one";
    for (number, problem) in [
        ("nan", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found `nan`"),
        ("-inf", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found `-inf`"),
        ("true", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found `true`"),
        ("\"1/x\"", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found the text \"1/x\""),
        ("\"1/0\"", "the denominator is zero"),
        ("1e300", TOO_LARGE),
        ("99999999999999999999", TOO_LARGE),
        ("\"1/99999999999999999999\"", "the number has more digits than 64 bits hold"),
        ("1979-05-27", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found a date"),
        ("[1]", "expected a number such as `3`, `\"-1/16\"` or `0.125`, found an array"),
    ] {
        expect_in_term(
            &format!("{{ scale = {number}, kernel = [[1]] }}"),
            &format!("3:23: `f.outputs.A.scale`: {problem}"),
        );
        expect_in_term(&format!("{{ kernel = [[1, {number}]] }}"), &format!("3:29: `f.outputs.A.kernel`: {problem}"));
    }
    let large = "9223372036854775807";
    expect_in_term(
        &format!("{{ scale = {large}, kernel = [[{large}]] }}"),
        "3:53: a weight is too large to be handled exactly",
    );
}

#[test]
fn bad_kernels() {
    for (kernel, problem) in [
        ("3", "3:24: `f.outputs.A.kernel`: expected rows of weights such as `[[1, 2, 1]]`, found `3`"),
        (
            "[1, 2, 1]",
            "3:25: `f.outputs.A.kernel`: expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`",
        ),
        (
            "[[1, 2]]",
            "3:24: a kernel of 1×2 weights has no centre; pad it with zeros to an odd number of rows and columns, or \
             say with `origin = [row, column]`, from 0, which weight belongs to the PE itself",
        ),
        (
            "[[1, 2]], origin = [1]",
            "3:43: `f.outputs.A.origin`: expected a row and a column, both from 0, such as `[1, 1]`, found an array",
        ),
        (
            "[[1, 2]], origin = [0, -1]",
            "3:47: `f.outputs.A.origin`: expected a whole number of at most 64 bits, not negative, found `-1`",
        ),
    ] {
        expect_in_term(&format!("{{ kernel = {kernel} }}"), problem);
    }
}

/// A kernel of many weights is refused before its weights are looked at.
#[test]
fn wide_kernels() {
    let row = "x,".repeat(250_000).replace('x', "\"x\"");
    expect_in_term(
        &format!("{{ kernel = [[{row}]] }}"),
        "3:24: `f.outputs.A.kernel`: the kernel has 1×250000 weights; at most 15×15 are supported",
    );
    let rows = "[1],".repeat(100_000);
    expect_in_term(
        &format!("{{ kernel = [{rows}] }}"),
        "3:24: `f.outputs.A.kernel`: the kernel has 100000×1 weights; at most 15×15 are supported",
    );
}

#[test]
fn deep_brackets() {
    let text = format!("a = {}{}", "[".repeat(300), "]".repeat(300));
    expect(&text, &["1:85: brackets are nested too deep here; move a part of it to another place"]);
}

#[test]
fn terms() {
    expect_in_term("{ scale = 2 }", "3:13: `f.outputs.A`: the term has no kernel; add `kernel = [[1, 2, 1]]`");
    expect_in_term(
        "[[1, 2, 1], [2, 4, 2]]",
        "3:13: `f.outputs.A`: a matrix is written `outputs.REGISTER.kernel = [[1, 2, 1]]`, or `{ kernel = .. }` in a term",
    );
    expect_in_term(
        "[1]",
        "3:14: `f.outputs.A`: expected a term such as `{ scale = \"1/4\", kernel = [[1, 2, 1]] }`, found `1`",
    );
    expect_in_term(
        "[]",
        "3:13: `f.outputs.A`: expected a term such as `{ scale = \"1/4\", kernel = [[1, 2, 1]] }`, found an empty array",
    );
    expect_in_term(
        "{ kernal = [[1]], kernel = [[1]] }",
        "3:15: `f.outputs.A`: unknown key `kernal`; did you mean `kernel`?",
    );
    expect_in_term("{ input = \"B\", kernel = [[1]] }", "3:23: unknown input `B`; expected `A`");
    expect(
        "[f]\ninputs = [\"A\", \"B\"]\noutputs.A = { kernel = [[1]] }",
        &["3:24: with several inputs, say which one: `input = \"REGISTER\"` with `A` or `B`"],
    );
}

#[test]
fn registers() {
    let f = "\noutputs.B.kernel = [[1]]\n";
    for (keys, problem) in [
        (
            "inputs = \"A\"",
            "2:10: `f.inputs`: expected an array of registers such as `[\"A\", \"B\"]`, found the text \"A\"",
        ),
        ("inputs = [1]", "2:11: `f.inputs`: expected a register such as \"A\", found `1`"),
        ("inputs = []", "1:2: a kernel needs at least one input register"),
        ("keep = []", "1:2: filter `f` has no inputs; add `inputs = [\"A\"]`"),
        ("inputs = [\"A\"]\nkeep = [\"B\"]", "3:9: unknown input `B`; expected `A`"),
        ("inputs = [\"A\"]\nkeep = [\"A\", \"A\"]", "3:14: input `A` is listed twice in `keep`"),
        (
            "inputs = [\"B\"]\nkeep = [\"B\"]",
            "4:9: input `B` is kept and cannot be an output as well; take it out of `keep`, or choose another output",
        ),
    ] {
        expect(&format!("[f]\n{keys}{f}"), &[problem]);
    }
    let many = "\"A\",".repeat(300);
    expect(
        &format!("[f]\ninputs = [{many}]{f}"),
        &["2:10: `f.inputs`: 300 registers are listed, but no machine has more than 256"],
    );
}

#[test]
fn planes_stand_for_registers_in_the_order_of_the_header() {
    let blur = "[blur]\ninputs = [\"a\", \"b\"]\nkeep = [\"b\"]\noutputs.c = { input = \"b\", kernel = [[1]] }\n";
    let read = |text: &str| parse(text).unwrap().remove(0);
    let declared = read(&format!("{blur}scratch = [\"t\"]\n")).of.declaration;
    assert_eq!(declared.to_string(), "blur(A, &B) -> (C) using (D) { C = [1] * B; }");
    let declared = read(blur).of.declaration;
    assert_eq!(declared.to_string(), "blur(A, &B) -> (C) using (D, E, F) { C = [1] * B; }");
}

/// Both notations describe the same chip; what they leave out is as published.
#[test]
fn errors_of_the_chip() {
    let file = "[machine]\nregisters = 7\nerrors = { gain = 0.985, offset = [12, 13.5, 15], noise = \"1/4\" }";
    let described = &filters(&format!("{file}\n[f]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n"))[0].declaration;
    let expected = ErrorModel { gain: 0.985, offset: [12.0, 13.5, 15.0], noise: 0.25, ..ErrorModel::measured() };
    assert_eq!(described.options.error_model, expected);
    let same = "#![machine(registers = 7, errors(gain = 0.985, offset = [12, 13.5, 15], noise = 1/4))]";
    assert_eq!(crate::tests::machine(same).errors, expected);
    let for_all = crate::tests::machine("#![machine(errors(offset = -3))]");
    assert_eq!(for_all.errors, ErrorModel { offset: [-3.0; 3], ..ErrorModel::measured() });
}

#[test]
fn machines() {
    let f = "\n[f]\ninputs = [\"A\"]\noutputs.R7.kernel = [[1]]\n";
    assert_eq!(filters(&format!("machine.registers = [\"A\", \"R7\"]{f}")).len(), 1);
    for (keys, problem) in [
        ("", "5:9: unknown register `R7`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`"),
        ("registers = 7", "5:9: unknown register `R7`; the analogue registers are `A` to `G`"),
        (
            "errors.readout_noise = inf",
            "2:24: `machine.errors.readout_noise`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found `inf`",
        ),
    ] {
        expect(&format!("[machine]\n{keys}{f}"), &[problem]);
    }
    let machine =
        "[machine]\nregisters = 103\nbits = 5\ninstructions = \"basic\"\nbus = { destinations = 2, reads = \"own\" }
        nanoseconds = { analogue = 100 }\nrange = { min = -512, max = 511 }";
    let spelt = filters(&format!("{machine}{f}"))[0].declaration.machine.to_string();
    let same = crate::tests::machine(&format!("#![machine({spelt})]"));
    assert_eq!(filters(&format!("{machine}{f}"))[0].declaration.machine, same.machine);
    assert_eq!(same.machine.to_string(), spelt);
    expect(
        &format!("[machine]\ninputs = [\"A\"]\nregisters = [\"R7\", \"A\"]{f}"),
        &["2:1: `machine`: unknown key `inputs`; expected `registers`, `bits`, `instructions`, `bus`, `nanoseconds`, \
           `range` or `errors`"],
    );
}

#[test]
fn options() {
    let f = "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n";
    for (keys, problem) in [
        ("search.nodes = \"1\"", "4:16: `f.search.nodes`: expected a whole number, found the text \"1\""),
        ("search.isa = 3", "4:14: `f.search.isa`: expected a name in quotes, found `3`"),
        ("search.input = \"127\"", "4:16: `f.search.input`: expected a range such as `-128..127`"),
        (
            "search.max_gain = 1.5\noutputs.B = { kernel = [[2]] }",
            "4:19: the kernel of `B` has a gain of 2, which is more than the `max_gain` of 3/2; allow at least 2",
        ),
        ("search = 3", "4:10: `f.search`: expected a table such as `{ nodes = 200_000 }`, found `3`"),
        (
            "approximate = { depth = 5 }",
            "4:15: `f.approximate`: takes both `depth` and `error`, as in `approximate = { depth = 5, error = 0.05 }`, or \
             `error` and `search = true`",
        ),
        (
            "approximate = { search = true }",
            "4:15: `f.approximate`: takes an `error`, as in `approximate = { error = 0.05, search = true }`",
        ),
        ("doc = [\"a\"]", "4:7: `f.doc`: expected a text, found an array"),
        (
            "time = 3",
            "4:1: `f`: unknown key `time`; expected `inputs`, `outputs`, `keep`, `scratch`, `bits`, `superpixel`, `doc`, `approximate`, \
             `search` or `interruptible`",
        ),
    ] {
        expect(&format!("{f}{keys}"), &[problem]);
    }
}

#[test]
fn tables_of_filters() {
    let text = "[filter.gauss]\ninputs = [\"A\"]\noutputs.A = { kernel = [[1]] }\n";
    expect(text, &["1:2: the table of a filter has its name only; write `[NAME]` in place of `[filter.NAME]`"]);
}

#[test]
fn whole_files() {
    expect("", &["1:1: the file has no filter; add a table such as `[gauss]` with `inputs` and `outputs`"]);
    expect(
        "# nothing\n[machine]\nregisters = [\"A\"]",
        &["1:1: the file has no filter; add a table such as `[gauss]` with `inputs` and `outputs`"],
    );
    expect(
        "[machin]\nregisters = 8\n[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]",
        &["1:2: `machin` has no `inputs` and no `outputs`, so it is no filter; did you mean the table `machine`?"],
    );
    expect("f = 3", &["1:5: `f`: expected a table for a filter, `[f]`, found `3`"]);
    expect(
        "['a b']\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]",
        &[
            "1:2: a filter cannot be called `a b`; begin with a letter, and use only letters from a to z, digits and `_`, as in \
           `a_b`",
        ],
    );
    expect(
        "[My-Filter]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n[network.3x3]\n",
        &[
            "1:2: a filter cannot be called `My-Filter`; begin with a letter, and use only letters from a to z, digits and `_`, \
           as in `my_filter`",
        ],
    );
    let long = "x".repeat(250);
    expect(
        &format!("[{long}]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n"),
        &["1:2: the name `xxxxxxxxxxxxxxxxxxxxxxxxx…` has 250 characters; that of a filter has at most 100"],
    );
    expect(
        "[f]",
        &[
            "1:2: filter `f` has no inputs; add `inputs = [\"A\"]`",
            "1:2: filter `f` has no outputs; add a kernel for each output register, such as `outputs.A = { kernel = [[1, 2, \
         1]] }`",
        ],
    );
    expect(
        "[f]\ninputs = [\"A\"]\noutputs = [\"A\"]",
        &[
            "3:11: `f.outputs`: expected a kernel for each output register, such as `outputs.A = { kernel = [[1, 2, 1]] \
           }`, found an array",
        ],
    );
}

#[test]
fn what_is_given_twice() {
    let f = "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n";
    expect(
        &format!("{f}[g]\n{f}{f}"),
        &[
            "4:2: filter `g` has no inputs; add `inputs = [\"A\"]`",
            "4:2: filter `g` has no outputs; add a kernel for each output register, such as `outputs.A = { kernel = [[1, 2, \
         1]] }`",
            "5:2: filter `f` is declared twice, first in line 1; rename one",
            "8:2: filter `f` is declared twice, first in line 1; rename one",
        ],
    );
    expect(&format!("{f}inputs = [\"B\"]"), &["4:1: key `inputs` is given twice"]);
}

#[test]
fn notations_of_the_macro() {
    expect(
        "[f]\ninputs = [\"&A\", \"B\"]\noutputs.A = { input = \"A\", kernel = [[1]] }\n",
        &["2:11: write `\"A\"`, and that it is only read with `keep = [\"A\"]`"],
    );
    for (nodes, problem) in [
        ("1e6", "expected a whole number; write `1_000_000`"),
        ("2.0", "expected a whole number; write `2`"),
        ("1.5", "expected a whole number"),
        ("-1e3", "expected a whole number"),
    ] {
        let text = format!("[f]\ninputs = [\"A\"]\noutputs.A = {{ kernel = [[1]] }}\nsearch.nodes = {nodes}\n");
        expect(&text, &[&format!("4:16: `f.search.nodes`: {problem}")]);
    }
}

#[test]
fn what_is_no_toml() {
    expect("[f\ninputs = 3", &["1:3: unclosed table, expected `]`"]);
    expect("[[1, 2], [2, 1]]", &["1:4: unclosed array table, expected `]]`"]);
    expect(
        "[f]\ninputs = [\"A\n",
        &["2:13: unclosed array, expected `]`", "2:13: invalid basic string, expected `\"`"],
    );
    // What was meant is clear.
    for (line, problem) in [
        ("outputs.A = { scale = 1/16, kernel = [[1]] }", "3:23: a fraction is written in quotes: `\"1/16\"`"),
        ("outputs.A.kernel = [[1, -1/4]]", "3:25: a fraction is written in quotes: `\"-1/4\"`"),
        ("search.objective = icws", "3:20: a text is written in quotes: `\"icws\"`"),
        ("keep = [A]", "3:9: a text is written in quotes: `\"A\"`"),
    ] {
        expect(&format!("[f]\ninputs = [\"A\"]\n{line}\n"), &[problem]);
    }
    expect(
        "{ \"filter\": [{ \"depth\": 4 }] }",
        &["1:1: this is JSON and not a kernel file; `cain import` turns a configuration of Cain into one"],
    );
    for text in ["\u{0}", "[f]\nx = \"", "=", "é", "'''", "{{{{", "[[[[[[", "\u{feff}", "fn f(A) -> A = [[1]];"] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(parse(&format!("x = {}", "[".repeat(100_000))).is_err());
    assert!(parse(&format!("{}x = 1", "a.".repeat(100_000))).is_err());
}

/// One mistake does not hide the next, and they come in the order of the file.
#[test]
fn all_at_once() {
    let text = "
[machine]
registers = [\"A\", \"B\", 3]
[a]
inputs = [\"A\"]
outputs.A = [{ kernel = [[1, \"x\"], [1]] }, { kernel = [[1, 2], [1]] }, { scale = nan, kernel = [[1]] }]
search.nodes = 0
[b]
input = [\"A\"]
outputs.Z = { kernel = [[\"1/3\"]] }
";
    expect(
        text,
        &[
            "3:24: `machine.registers`: expected a register such as \"A\", found `3`",
            "6:30: `a.outputs.A.kernel`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found the text \"x\"",
            "6:64: row 2 has 1 weight but row 1 has 2; make all rows equally long",
            "6:82: `a.outputs.A.scale`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found `nan`",
            "7:16: a search needs at least one node",
            "8:2: filter `b` has no inputs; add `inputs = [\"A\"]`",
            "9:1: `b`: unknown key `input`; did you mean `inputs`?",
        ],
    );
}

/// Thousands of mistakes in one line take no time that grows with their square.
#[test]
fn many_mistakes() {
    let mut text = String::from("[f]\n");
    for filter in 0..20_000 {
        let _ = writeln!(text, "[g{filter}]\ninputs = [\"x\"]\noutputs.A.kernel = [[nan]]");
    }
    assert_eq!(parse(&text).unwrap_err().len(), 2 + 2 * 20_000);
    let line = format!("f.x = 1\nf.outputs = {{ {} }}", "A = 1, ".repeat(100_000));
    assert!(parse(&line).unwrap_err().len() > 50_000);
}

#[test]
fn filters_are_found_by_name() {
    let filters = filters("gauss = { inputs = [\"A\"], outputs.A.kernel = [[1]] }");
    assert_eq!(find("filter", &filters, "gauss", Filter::name).map(Filter::name), Ok("gauss"));
    assert_eq!(
        find("filter", &filters, "gaus", Filter::name).err().unwrap(),
        "unknown filter `gaus`; did you mean `gauss`?"
    );
    assert_eq!(
        find("filter", &filters, "sobel", Filter::name).err().unwrap(),
        "unknown filter `sobel`; expected `gauss`"
    );
}

#[test]
fn failed_searches_are_reported_in_the_file() {
    let text = "\n[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n";
    let writable = filters(text)[0].declaration.writable();
    let budget = SearchError::Budget { nodes: 3, writable: writable.clone(), enough: Some(8), remedy: None };
    let message = "filter `f`: no program found within 3 search nodes that overwrites only `A`, `B`, `C`, `D`, `E` and \
                   `F`; allow more `nodes`, or use a machine of 8 registers, which are certainly enough";
    assert_eq!(filters(text)[0].failed(&budget).to_string(), format!("2:2: {message}"));
    let with_budget = format!("{text}search.nodes = 3");
    assert_eq!(filters(&with_budget)[0].failed(&budget).to_string(), format!("5:16: {message}"));
    let large = "[f]\ninputs = [\"A\"]\noutputs.B = [{ kernel = [[1]] }, { kernel = [[1, 3000000000, 1]] }]";
    assert!(
        filters(large)[0].failed(&SearchError::Overflow).to_string().starts_with("3:50: filter `f`: the weights do")
    );
    let failed = |enough| {
        let error = SearchError::Registers { writable: writable[..1].to_vec(), enough, remedy: None };
        filters(text)[0].failed(&error).to_string()
    };
    let message = "2:2: filter `f`: no program found that overwrites only `A`;";
    assert_eq!(failed(None), format!("{message} allow more `scratch` registers"));
    assert_eq!(failed(Some(2)), format!("{message} allow one more `scratch` register, which is certainly enough"));
    assert_eq!(failed(Some(6)), format!("{message} allow 5 more `scratch` registers, which are certainly enough"));
}

/// Numbers as programs write them are exact where possible, and otherwise too near for approximation to make a difference.
#[test]
fn numbers_with_many_digits() {
    let declared = |weights: &str, rest: &str| {
        filters(&format!("[f]\ninputs = [\"A\"]\noutputs.B = {{ {weights} }}\n{rest}"))[0].declaration.to_string()
    };
    assert_eq!(
        declared("kernel = [[5e-1, 2.5E+1, 0.00000095367431640625]]", ""),
        declared("kernel = [[0.5, 25, \"1/1048576\"]]", "")
    );
    let approximate = "approximate = { depth = 6, error = 0.1 }\n";
    let long = "kernel = [[0.3333333333333333333333, 1e-05, 1.2345678901234567e-05, 0.30000000000000004, 1e-400]]";
    let short = "kernel = [[\"1/3\", 0, 0, 0.3, 0]]";
    assert_eq!(declared(long, approximate), declared(short, approximate));
    let scale = "scale = 0.3333333333333333333333, ";
    assert_eq!(
        declared(&format!("{scale}{long}"), approximate),
        declared(&format!("scale = \"1/3\", {short}"), approximate)
    );
}

/// Without approximation no weight is moved, not even by so little; nor is what is not a weight.
#[test]
fn numbers_with_too_many_digits() {
    let long = "0.50000000000000000000001";
    let message = "the number has more digits than 64 bits hold; write fewer";
    expect_in_term(&format!("{{ kernel = [[1], [{long}], [1]] }}"), &format!("3:31: {message}"));
    expect_in_term(&format!("{{ scale = {long}, kernel = [[1]] }}"), &format!("3:23: {message}"));
    expect(
        &format!(
            "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\napproximate = {{ depth = 3, error = {long} }}\n\
             search.max_gain = 1{long}\n"
        ),
        &[&format!("4:36: {message}"), &format!("5:19: {message}")],
    );
}

/// What is wrong with a number is told as it is: it is too small, too large, or has too many digits.
#[test]
fn numbers_that_no_fraction_holds() {
    let too_small = "the number is too small: fractions of 64-bit integers do not hold it; write `0`, or a larger one";
    expect_in_term("{ kernel = [[1], [1e-30], [1]] }", &format!("3:31: {too_small}"));
    let too_large =
        "`f.outputs.A.kernel`: the number is too large: the largest are 9223372036854775807; write a smaller one";
    expect_in_term("{ kernel = [[1], [1e300], [1]] }", &format!("3:31: {too_large}"));
}

/// Marks that change the direction of text could make a listing, or a comment of C++, look like something else.
#[test]
fn documentation_does_not_change_the_direction_of_text() {
    let doc = "doc = \"a\\u202eb\\u2066c\\nd\u{202b}\"";
    let filter = parse(&format!("[f]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n{doc}")).unwrap().remove(0);
    assert_eq!(filter.doc.as_deref(), Some("a b c\nd "));
}

/// Numbers that no fraction holds are rounded, which counts towards the error that is allowed.
#[test]
fn rounding_counts_as_approximation() {
    let filter = |weight: &str, error: &str| {
        let approximate = format!("approximate = {{ depth = 1, error = {error} }}");
        parse(&format!("[f]\ninputs = [\"A\"]\noutputs.B.kernel = [[{weight}]]\n{approximate}"))
    };
    let error = |weight: &str| filter(weight, "0.1").unwrap()[0].approximated.unwrap().error.to_f64();
    assert!(error("0.5").abs() <= 0.0);
    // 1/2 when it is read, but the text does not say so.
    let long = "0.50000000000000000000001";
    assert!((1e-23..1e-11).contains(&error(long)), "{}", error(long));
    assert!(filter("0.5", "0").is_ok());
    let refused = filter(long, "0").unwrap_err();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].message.ends_with("in all (about 0.0000); allow a larger `depth` or `error`"), "{refused:?}");
    let refused = filter("1e300", "0.1").unwrap_err();
    assert!(refused[0].message.ends_with("the largest are 9223372036854775807; write a smaller one"), "{refused:?}");
}

#[test]
fn constants_stand_for_numbers_and_kernels() {
    let with = |constants: &str, output: &str| {
        let text = format!("[f]\ninputs = [\"A\"]\nscratch = []\noutputs.B{output}\n[const]\n{constants}");
        filters(&text).remove(0).declaration.to_string()
    };
    for (constants, output, plain) in [
        ("W = 3", ".kernel = [[\"W\", \"-W\", 1]]", ".kernel = [[3, -3, 1]]"),
        ("HALF = \"1/2\"", " = { scale = \"-HALF\", kernel = [[1]] }", " = { scale = -0.5, kernel = [[1]] }"),
        ("K = [[\"W\"]]\nW = \"V\"\nV = 2", " = { kernel = [[1, 2, 4]], scale = \"W\" }", ".kernel = [[2, 4, 8]]"),
        ("K = [[1, 2, 1]]", ".kernel = \"K\"", ".kernel = [[1, 2, 1]]"),
        (
            "K = { scale = \"1/4\", kernel = [[1, 2]], origin = [0, 1] }",
            " = { scale = 2, kernel = \"K\", input = \"A\" }",
            " = { scale = \"1/2\", kernel = [[1, 2]], origin = [0, 1] }",
        ),
        (
            "DETAIL = [{ kernel = [[1]] }, { scale = -1, kernel = \"BLUR\" }]\nBLUR = [[\"1/4\", 0.5, 0.25]]",
            " = [{ kernel = \"DETAIL\" }, { scale = 2, kernel = \"BLUR\" }]",
            ".kernel = [[0.25, 1.5, 0.25]]",
        ),
    ] {
        assert_eq!(with(constants, output), with("", plain), "{constants} {output}");
    }
}

#[test]
fn mistakes_in_constants_are_reported_once() {
    let with = |constants: &str, value: &str| {
        format!("[f]\ninputs = [\"A\"]\noutputs.B = {value}\noutputs.C = {value}\n[const]\n{constants}")
    };
    for (constants, part) in [
        ("K = 1", "`K` is a number; expected a kernel"),
        ("OTHER = [[1]]", "unknown constant `K`; declare it in the table `[const]` of the file"),
    ] {
        let problems = parse(&with(constants, "{ kernel = \"K\" }")).unwrap_err();
        let places: Vec<_> = problems.iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(places, ["3:24", "4:24"]);
        assert!(problems.iter().all(|problem| problem.message.contains(part)), "{problems:#?}");
    }
    for (constants, expected) in [
        ("K = [[1, \"XX\"]]", "6:10: `const.K`: unknown constant `XX`; declare it in the table `[const]` of the file"),
        ("K = [[1], [1, 2]]", "6:11: row 2 has 2 weights"),
        ("K = [[1, 2]]", "6:5: a kernel of 1×2 weights has no centre"),
        ("K = { kernel = \"K\" }", "6:1: constant `K` is made of itself, by way of `K`"),
        (
            "K = { kernel = \"L\" }\nL = [{ kernel = \"K\" }]",
            "6:1: constant `K` is made of itself, by way of `L` and `K`",
        ),
        ("K = { kernel = [[1]], input = \"A\" }", "6:31: a constant kernel has no input"),
        ("K = true", "6:5: `const.K`: expected a number such as"),
        ("K = []", "6:5: `const.K`: expected a term"),
        ("K = [[1]]\nx = 3", "7:1: write the name of the constant `x` in upper case"),
        (
            "K = [[1]]\nL = { kernel = [[1]], scale = \"K\" }",
            "7:31: `const.L.scale`: `K` is a kernel; expected a number",
        ),
        (
            "K = [[1]]\nL = { kernel = \"K\", origin = [0, 0] }",
            "7:30: `const.L.origin`: the origin of a named kernel belongs",
        ),
        ("K = [[1]]\nL = { kernel = \"-K\" }", "7:16: `const.L.kernel`: a name of a kernel has no sign"),
    ] {
        let text = with(constants, "{ kernel = \"K\" }");
        let problems = parse(&text).expect_err(&text);
        let fits = matches!(problems.as_slice(), [only] if only.to_string().starts_with(expected));
        assert!(fits, "{text}\nexpected {expected}\nfound {problems:#?}");
    }
}

/// A few lines could stand for more calls than fit on the stack.
#[test]
fn constants_are_not_read_by_recursion() {
    let chain: Vec<_> = (0..20_000).map(|k| format!("K{k} = \"K{}\"\n", k + 1)).collect();
    let text = format!("[f]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n[const]\n{}K20000 = 1\n", chain.concat());
    assert_eq!(filters(&text).len(), 1);
}
