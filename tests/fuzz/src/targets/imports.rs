//! Configurations of published Cain.

use std::path::Path;

use cain_cli::texts::import;
use cain_codegen::kernel_file;

use crate::model::Filter;
use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "imports",
    about: "Cain's configuration files",
    ending: "json",
    quick: 10_000,
    memory: 256,
    generate,
    check,
};

const WORDS: [&str; 33] = [
    "\"name\"",
    "\"id\"",
    "\"target\"",
    "\"mode\"",
    "\"filter\"",
    "\"3d\"",
    "\"array\"",
    "\"depth\"",
    "\"scale\"",
    "\"registerAllocator\"",
    "\"availableRegisters\"",
    "\"initialRegisters\"",
    "\"runConfig\"",
    "\"costFunction\"",
    "\"pairGen\"",
    "\"ops\"",
    "\"all\"",
    "\"outputFormat\"",
    "\"JssFormat\"",
    "\"simulatorName\"",
    "\"maxApproximationDepth\"",
    "\"maxApproximationError\"",
    "\"A\"",
    "\"\\u0000\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "true",
    "null",
    "0.5",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, |dice| {
        let filter = Filter::random(dice);
        let kernels = filter.outputs.iter().map(|(register, terms)| {
            let rows: Vec<_> = terms[0].rows.iter().map(|row| format!("[{}]", row.join(", "))).collect();
            format!("\"{register}\": {{ \"depth\": {}, \"array\": [{}] }}", dice.below(5), rows.join(", "))
        });
        let kernels: Vec<_> = kernels.collect();
        format!(
            "{{ \"name\": \"{}\", \"target\": \"scamp5\", \"mode\": \"analogue\",\n  \"filter\": {{ {} }},\n  \
             \"registerAllocator\": {{ \"availableRegisters\": [\"A\", \"B\", \"C\", \"D\", \"E\", \"F\"], \
             \"initialRegisters\": [\"{}\"] }} }}\n",
            filter.name,
            kernels.join(", "),
            filter.inputs[0].0,
        )
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let (toml, remarks) = match import(Path::new("config.json"), &text) {
        Ok(imported) => imported,
        Err(problems) => return problems.lines().try_for_each(remark).map(|()| Verdict::Refused),
    };
    remarks.iter().try_for_each(|line| remark(line))?;
    kernel_file::parse(&toml).map_err(|problems| format!("the kernel file is wrong: {problems:?}"))?;
    Ok(Verdict::Accepted)
}

/// Checks a remark: it must begin with the file, and a command in it must run as it stands.
fn remark(line: &str) -> Result<(), String> {
    printable(line)?;
    ensure(line.starts_with("config.json:"), || format!("a remark without its file: {line}"))?;
    let Some((_, name)) = line.split_once("--simulator ") else { return Ok(()) };
    let name = name.trim_end_matches('`');
    let is_plain = name.chars().all(|character| character.is_ascii_alphanumeric() || "_-.:".contains(character));
    let inner = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    let is_quoted = inner.is_some_and(|inner| !inner.replace(r"'\''", "").contains('\''));
    ensure(is_plain || is_quoted, || format!("a command with words from the file: {line}"))
}
