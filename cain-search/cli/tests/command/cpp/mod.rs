//! Tests of headers for the vendor's C++ library, compiled against a stand-in for it that prints calls.

mod programs;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use serde_json::Value;

use crate::Folder;

const KERNELS: &str = "\
[gauss]
doc = \"Binomial blur \\\\\"
inputs = [\"A\"]
outputs.A = { scale = \"1/16\", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
search.nodes = 100
[sobel]
inputs = [\"A\"]
keep = [\"A\"]
outputs.B = { scale = \"1/8\", kernel = [[1, 0, -1], [2, 0, -2], [1, 0, -1]] }
search = { isa = \"macro\", nodes = 100 }
";

/// The instructions and operands of the vendor's library that programs use.
const CALLS: [&str; 26] = [
    "gauss", "blur", "bus", "bus2", "bus3", "res", "mov", "add", "sub", "neg", "divq", "div", "diva", "movx", "mov2x",
    "addx", "add2x", "subx", "sub2x", "abs", "sq", "nop", "all", "where", "mean", "res2",
];
const OPERANDS: [&str; 15] =
    ["A", "B", "C", "D", "E", "F", "NEWS", "XE", "XN", "XS", "XW", "north", "east", "south", "west"];

/// The library with these instructions and operands.
fn stand_in<'n>(calls: impl IntoIterator<Item = &'n str>, operands: impl IntoIterator<Item = &'n str>) -> String {
    let mut header = String::from(
        "#pragma once\n#include <cstdio>\n\
         inline void scamp5_kernel_begin() { std::puts(\"begin\"); }\n\
         inline void scamp5_kernel_end() { std::puts(\"end\"); }\n\
         inline void scamp5_load_in(int level) { std::printf(\"scamp5_load_in(%d);\\n\", level); }\n\
         inline void scamp5_select_pattern(int r, int c, int fr, int fc)\n\
         { std::printf(\"scamp5_select_pattern(%d,%d,%d,%d);\\n\", r, c, fr, fc); }\n\
         namespace SCAMP5_PE {\nstruct operand { const char *name; };\n\
         inline void print(const char *separator) { std::puts(separator); }\n\
         template <class... Rest> void print(const char *before, operand first, Rest... rest)\n\
         { std::printf(\"%s%s\", before, first.name); if (sizeof...(rest)) print(\",\", rest...); else print(\");\"); }\n",
    );
    for operand in operands {
        writeln!(header, "static const operand {operand}{{\"{operand}\"}};").unwrap();
    }
    for call in calls {
        writeln!(header, "inline void {call}() {{ std::puts(\"{call}();\"); }}").unwrap();
        writeln!(header, "template <class... T> void {call}(T... t) {{ print(\"{call}(\", t...); }}").unwrap();
    }
    header + "}\n"
}

/// Whether there is no compiler of C++, which the summary of the checks then tells.
fn has_no_compiler() -> bool {
    let is_missing = Command::new("c++").arg("--version").output().is_err();
    if is_missing {
        cain_tests::skipped("the C++ header", "there is no C++ compiler `c++`").unwrap();
    }
    is_missing
}

#[test]
fn the_vendors_library_gets_the_same_words() {
    if has_no_compiler() {
        return;
    }
    let folder = Folder::new(KERNELS);
    folder.cain(&["generate", "kernels.toml", "-o", "kernels.hpp"]).good();
    folder.write("scamp5.hpp", &stand_in(CALLS, OPERANDS));
    // A header may be included twice.
    folder.write("main.cpp", "#include \"kernels.hpp\"\n#include \"kernels.hpp\"\nint main() { gauss(); sobel(); }\n");
    let strict = ["-std=c++11", "-Wall", "-Werror", "-Wno-unused-variable", "-I.", "main.cpp", "-o", "main"];
    let built = Command::new("c++").args(strict).current_dir(folder.path("")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let called = Command::new(folder.path("main")).output().unwrap().stdout;

    let shown = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    let words = shown.lines().filter(|line| !line.starts_with("//") && !line.is_empty());
    let words = words.map(|line| match line.trim() {
        "scamp5_kernel_begin();" => "begin",
        "scamp5_kernel_end();" => "end",
        word => word,
    });
    assert_eq!(String::from_utf8(called).unwrap().lines().collect::<Vec<_>>(), words.collect::<Vec<_>>());
}

const ON_BITS: &str = "\
[edge]
inputs = [\"image\"]
outputs.out = \"image & !image@north\"
bits = 1
search = { isa = \"digital\", nodes = 500 }
[pair]
inputs = [\"image\"]
outputs.sum.kernel = [[1, 1, 0]]
superpixel = { order = [[1, 2], [4, 3]], adc.image = { register = \"A\", bits = 3, unit = 1 } }
search = { isa = \"superpixel\", nodes = 500 }
";

/// What is done once, and every call, in the order of the programs.
#[test]
fn programs_on_bits_are_functions_too() {
    if has_no_compiler() {
        return;
    }
    let folder = Folder::new(ON_BITS);
    folder.cain(&["generate", "kernels.toml", "-o", "kernels.hpp"]).good();
    let records = folder.cain(&["compile", "kernels.toml", "--json"]).good();
    let mut wanted = Vec::new();
    for record in records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let parts = record["parts"].as_array().unwrap().iter().map(|part| &part["listing"]);
        let lines = [&record["preparation"]].into_iter().chain(parts).filter_map(Value::as_array).flatten();
        wanted.extend(lines.map(|line| line.as_str().unwrap().to_owned()));
    }
    let words = wanted.iter().filter(|line| !line.starts_with("scamp5_"));
    let words: Vec<(&str, &str)> = words.map(|line| line.trim_end_matches(");").split_once('(').unwrap()).collect();
    let calls: BTreeSet<&str> = words.iter().map(|(call, _)| *call).collect();
    let operands: BTreeSet<&str> = words.iter().flat_map(|(_, operands)| operands.split(',')).collect();
    folder.write("scamp5.hpp", &stand_in(calls, operands.into_iter().filter(|operand| !operand.is_empty())));
    folder.write("main.cpp", "#include \"kernels.hpp\"\nint main() { edge(); pair_prepare(); pair(); }\n");
    let strict = ["-std=c++11", "-Wall", "-Werror", "-Wno-unused-variable", "-I.", "main.cpp", "-o", "main"];
    let built = Command::new("c++").args(strict).current_dir(folder.path("")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let called = String::from_utf8(Command::new(folder.path("main")).output().unwrap().stdout).unwrap();
    let called: Vec<&str> = called.lines().filter(|line| !["begin", "end"].contains(line)).collect();
    assert_eq!(called, wanted);
    assert!(wanted.iter().any(|line| line.starts_with("scamp5_select_pattern(")), "{wanted:?}");
}

/// Every name of a filter is either refused or becomes a function that does not clash with the library and the usual
/// headers.
#[test]
fn every_name_is_refused_or_compiles() {
    if has_no_compiler() {
        return;
    }
    let others = [
        "edge", "West", "News", "a", "r0", "scamp", "SCAMP5", "kernel", "blur", "gauss3", "self_", "rand", "clock",
        "abort", "sin", "div", "time", "exit", "size_t", "uint8_t", "errno", "assert", "NULL", "EOF", "stdout", "FILE",
        "std", "main", "string", "vector", "printf", "alignof", "co_await", "typename", "xor", "char8_t", "void",
        "int", "unsigned", "nullptr", "va_list", "offsetof", "getchar", "INT_MAX", "RAND_MAX", "M_PI", "unix", "linux",
        "signal", "index", "fn", "async", "gen", "type", "match", "try", "do", "const",
    ];
    let names = CALLS.iter().chain(&OPERANDS).chain(&others).copied();
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    let folder = Folder::new("");
    folder.write("scamp5.hpp", &stand_in(CALLS, OPERANDS));
    for name in names {
        let kernels = format!("[{name}]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[0, 0, 1]]\n");
        folder.write("kernels.toml", &kernels);
        let header = format!("{name}.hpp");
        let run = folder.cain(&["generate", "kernels.toml", "-o", &header]);
        if run.succeeded { accepted.push(name) } else { refused.push(name) }
    }
    assert!(OPERANDS.iter().all(|name| refused.contains(name)), "{accepted:?}");
    let ordinary = ["edge", "West", "gauss", "blur", "abs", "sin", "self_", "fn", "async", "gen", "type", "match"];
    assert!(ordinary.iter().all(|name| accepted.contains(name)), "{refused:?}");
    let mut program = String::from(
        "#include <cassert>\n#include <cerrno>\n#include <climits>\n#include <cmath>\n#include <csignal>\n#include <cstdarg>\n\
         #include <cstddef>\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <ctime>\n",
    );
    for name in &accepted {
        writeln!(program, "#include \"{name}.hpp\"").unwrap();
    }
    program.extend(["int main() {"]);
    for name in &accepted {
        write!(program, " {name}();").unwrap();
    }
    folder.write("main.cpp", &format!("{program} }}\n"));
    for standard in ["-std=c++11", "-std=c++20"] {
        let arguments = [standard, "-fsyntax-only", "-I.", "main.cpp"];
        let built = Command::new("c++").args(arguments).current_dir(folder.path("")).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    }
}

#[test]
fn headers_are_kept_like_other_files() {
    let folder = Folder::new(KERNELS);
    let header = folder.cain(&["generate", "kernels.toml", "--lang", "cpp"]).good();
    for part in ["\n#pragma once\n\n#include <scamp5.hpp>\n", "\n// Binomial blur\n", "\ninline void gauss()\n{\n"] {
        assert!(header.contains(part), "{header}");
    }
    assert_eq!(folder.cain(&["generate", "kernels.toml", "-o", "kernels.h"]).good(), "kernels.h: written\n");
    assert_eq!(folder.read("kernels.h"), header);
    assert_eq!(
        folder.cain(&["generate", "kernels.toml", "-o", "kernels.h", "--check"]).good(),
        "kernels.h: up to date\n"
    );
    for (name, why) in [
        ("delete", "is a keyword"),
        ("while", "is a keyword"),
        ("B", "is a register"),
        ("NEWS", "is a register"),
        ("FLAG", "is a register"),
        ("west", "is a direction"),
        ("bus2", "is an instruction of programs"),
        ("movx", "is an instruction of programs"),
        ("SCAMP5_PE", "is in capitals, as those of macros are"),
        ("RAND_MAX", "is in capitals, as those of macros are"),
        ("where", "is an instruction of programs"),
        ("scamp5_kernel_begin", "is one of the vendor's library"),
        ("vs_wait", "is one of the vendor's library"),
        ("_edge", "is reserved for the compiler"),
        ("edge__2", "is reserved for the compiler"),
        ("main", "is one of the standard library"),
    ] {
        let renamed = Folder::new(KERNELS.replace("[gauss]", &format!("[{name}]")));
        let refused = renamed.cain(&["generate", "kernels.toml", "--lang", "cpp"]);
        let expected = format!(
            "kernels.toml:1:2: filter `{name}`: no C++ function can have this name, which {why}; choose another one"
        );
        assert_eq!(refused.bad()[0], expected);
    }
}

/// Planes that the host gives and events have no calls of their own, which comments tell.
#[test]
fn programs_tell_their_registers() {
    let folder = Folder::new("");
    let program = "program fresh(image, b: bits) -> (m, e) {
        state s: bits = false; let m = image > 4 & !s & b; next s = image > 40; let e = events(m, 50);
    }";
    folder.write("fresh.cain", program);
    let header = folder.cain(&["generate", "fresh.cain", "--lang", "cpp"]).good();
    for part in [
        "inline void fresh_prepare()",
        "inline void fresh()",
        "    scamp5_get_image(A,B,1);\n    scamp5_load_in(",
        "// the result `m` is in R",
        "// `b` has to be in R5 before each call\n",
        ",buffer,50) lists the events of the result `e`\n",
    ] {
        assert!(header.contains(part), "{part}: {header}");
    }
}

const LOOK: &str = "\
program = \"\"\"
program look(image) -> (half) {
    let bright = image > 3;
    let half = halves(image, at = (96, 96));
}
\"\"\"

[network.halves]
input = { size = 32, levels = \"-100..100\" }

[[network.halves.layer]]
name = \"bright\"
op = \"threshold\"
at = 20

[[network.halves.layer]]
name = \"counts\"
op = \"windows\"
size = [30, 15]

[[network.halves.layer]]
name = \"half\"
op = \"argmax\"
";

/// What the library has no call for is refused where it is written.
#[test]
fn what_has_no_call_is_told_at_its_place() {
    let folder = Folder::new(LOOK);
    let message = folder.cain(&["generate", "kernels.toml", "--lang", "cpp"]).bad().concat();
    let wanted = "kernels.toml:4:16: program `look`: part `frame`: the vendor's library does not tell the order of the bits \
                  that it reads for the step `read R";
    assert!(message.contains(wanted) && message.contains("; generate Rust instead"), "{message}");
    // Nothing is left out that is not left out by name.
    folder.write("kernels.toml", &LOOK.replacen('\n', "\nprogram other(image) -> (m) { let m = image > 3; }\n", 1));
    let run = folder.cain(&["generate", "kernels.toml", "--lang", "cpp"]);
    let wanted = "kernels.toml: nothing is written, since 2 of 3 cannot be; name the others to write only these: `cain generate \
                  kernels.toml other`";
    assert_eq!(run.bad().last(), Some(&wanted));
    let header = folder.cain(&["generate", "kernels.toml", "other", "--lang", "cpp"]).good();
    assert!(header.contains("void other()") && !header.contains("look"), "{header}");
    let steps: Vec<String> = (0..40).map(|step| format!("x = max(x@({step} east), x@({step} south));")).collect();
    let steps = steps.join(" ");
    folder.write("p.cain", &format!("program p(image) -> (x) {{ var x = image; {steps} }}"));
    let message = folder.cain(&["generate", "p.cain", "--lang", "cpp"]).bad().concat();
    let wanted = "p.cain:1:9: program `p`: its kernels have ";
    let rest = " control words, and the vendor's library records 1024 of all kernels together; generate Rust instead";
    assert!(message.starts_with(wanted) && message.ends_with(rest), "{message}");
}

/// Names that mean something else within functions become other ones, and all functions compile together.
#[test]
fn names_of_numbers_do_not_clash() {
    if has_no_compiler() {
        return;
    }
    let folder = Folder::new("");
    folder.write("scamp5.hpp", include_str!("scamp5.hpp"));
    let entries: Vec<String> =
        ["A", "R5", "delete", "all", "kept", "n5", "found", "int32_t", "part", "p", "scamp5_on", "vs_on"]
            .iter()
            .map(|name| format!("{name}: 0..=9"))
            .collect();
    let program = format!(
        "program p(image, {}, rectangle: region, part_top: 0..=3) -> (results, east_, delete_, n7) {{
            state kept_ = 0; next kept_ = kept_ + 1;
            let results = A + R5 + delete + all; let east_ = kept + n5 + found; let delete_ = int32_t + part + p + part_top;
            let n7 = sum(image, rectangle) + kept_ + scamp5_on + vs_on; }}",
        entries.join(", ")
    );
    folder.write("p.cain", &program);
    folder.cain(&["generate", "p.cain", "-o", "p.hpp"]).good();
    folder.write(
        "main.cpp",
        "#include \"p.hpp\"\nint main() { p_results of; p_prepare(); return p(of, 1, 2, 3, 4) && of.results == 10 ? 0 : 1; }\n",
    );
    let strict = ["-std=c++11", "-Wall", "-Werror", "-Wno-unused-variable", "-I.", "main.cpp", "-o", "main"];
    let built = Command::new("c++").args(strict).current_dir(folder.path("")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(Command::new(folder.path("main")).status().unwrap().success());
    for (text, why) in [
        (
            "program p(image) -> (a) { let a = image > 3; } program p_results(image) -> (a) { let a = image > 3; }",
            "1:56: program `p_results`: something beside another function may have this name, such as what is done once; rename one",
        ),
        (
            "program abs(image, t: 0..=9) -> (a) { let a = image > t; }",
            "1:9: program `abs`: the standard library has a function of this name with a number; choose another one",
        ),
    ] {
        folder.write("q.cain", text);
        let run = folder.cain(&["generate", "q.cain", "--lang", "cpp"]);
        let problems = run.bad();
        assert_eq!(problems[0], format!("q.cain:{why}"));
        // What is named to be written without the others can be.
        for command in problems[1..].iter().filter_map(|line| line.split('`').find(|part| part.starts_with("cain "))) {
            let args: Vec<&str> = command.split(' ').skip(1).chain(["--lang", "cpp"]).collect();
            folder.cain(&args).good();
        }
    }
}
