//! Names of C++.

use cain_isa::{Bit, Cell, Direction, Op};

/// What follows the name of a program in that of the function for what it does once.
const PREPARATION: &str = "_prepare";
/// What follows it in that of the structure of what comes out of a call.
pub(super) const RESULTS: &str = "_results";
/// What follows it in that of the structure of what it keeps from call to call.
const KEPT: &str = "_kept";

/// What follows the name of a list in that of how many entries it has.
pub(super) const COUNT: &str = "_count";

/// Words that cannot be the name of a C++ function in any version of the language so far.
const KEYWORDS: [&str; 92] = [
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Names of the standard library that are macros, types, or functions without parameters, as far as headers make them
/// visible without a prefix, apart from those in capitals; and the name of the program.
const STANDARD: [&str; 50] = [
    "abort",
    "cain_helpers",
    "assert",
    "clock",
    "clock_t",
    "div_t",
    "double_t",
    "errno",
    "fenv_t",
    "float_t",
    "fpos_t",
    "getchar",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intmax_t",
    "intptr_t",
    "jmp_buf",
    "ldiv_t",
    "linux",
    "lldiv_t",
    "localeconv",
    "main",
    "nullptr_t",
    "offsetof",
    "ptrdiff_t",
    "rand",
    "setjmp",
    "sig_atomic_t",
    "size_t",
    "ssize_t",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "time_t",
    "tmpfile",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uintmax_t",
    "uintptr_t",
    "unix",
    "va_arg",
    "va_copy",
    "va_end",
    "va_list",
    "va_start",
];

/// Functions of the C library with one whole number.
const OF_NUMBERS: [&str; 26] = [
    "abs", "alarm", "close", "dup", "exit", "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "labs", "putchar", "raise", "sleep",
    "srand", "tolower", "toupper", "usleep",
];

/// The control-word instructions that programs of filters contain.
const WORDS: [&str; 5] = ["all", "bus", "bus2", "bus3", "where"];

/// The names that may be needed beside the function of a program.
pub(crate) fn helpers_of(name: &str) -> [String; 3] {
    [PREPARATION, RESULTS, KEPT].map(|end| format!("{name}{end}"))
}

/// The name of the function for what a program does once.
pub(super) fn preparation(name: &str) -> String {
    format!("{name}{PREPARATION}")
}

/// The name of the structure of what a program keeps.
pub(super) fn kept(name: &str) -> String {
    format!("{name}{KEPT}")
}

/// Whether the C library has a function of that name with one number.
pub(crate) fn takes_a_number(name: &str) -> bool {
    OF_NUMBERS.contains(&name)
}

/// What a name already means in C++, if a function without parameters cannot have it next to the vendor's library.
pub(crate) fn taken(name: &str) -> Option<&'static str> {
    // Others are functions with parameters, next to which a function without parameters can have the same name.
    let is_instruction = || WORDS.contains(&name) || Op::ARITHMETIC.iter().any(|op| op.name() == name);
    let is_in_capitals = || name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase());
    if KEYWORDS.contains(&name) {
        Some("is a keyword")
    } else if name.parse::<Cell>().is_ok() || name.parse::<Bit>().is_ok() {
        Some("is a register")
    } else if Direction::ALL.iter().any(|direction| direction.name() == name) {
        Some("is a direction")
    } else if is_instruction() {
        Some("is an instruction of programs")
    } else if ["scamp5_", "vs_"].iter().any(|prefix| name.starts_with(prefix)) {
        Some("is one of the vendor's library")
    } else if is_in_capitals() {
        Some("is in capitals, as those of macros are")
    } else if name.starts_with('_') || name.contains("__") {
        Some("is reserved for the compiler")
    } else if STANDARD.contains(&name) {
        Some("is one of the standard library")
    } else {
        None
    }
}
