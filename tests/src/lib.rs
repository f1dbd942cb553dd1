//! End-to-end tests of the project; see the files beside `src`.
