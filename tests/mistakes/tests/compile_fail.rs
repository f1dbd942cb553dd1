//! The messages about mistakes that do not compile.

#[test]
fn mistakes() {
    // The compiler's own part of the messages is that of the stable release that this project is developed with.
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
