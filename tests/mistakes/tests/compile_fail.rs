//! The messages about mistakes that do not compile.

#[test]
fn mistakes() {
    // The compiler's own part of the messages is that of the stable release with which this project is developed.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.pass("ui/pass/*.rs");
}
