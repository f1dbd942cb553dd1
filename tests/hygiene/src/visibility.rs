//! A plan is as visible as its function.

use ::focal::isa::Plan;

/// The plans that are visible here.
#[must_use]
pub fn plans() -> [Plan; 4] {
    [inner::public::PLAN, inner::in_crate::PLAN, inner::in_super::PLAN, inner::innermost::in_path::PLAN]
}

mod inner {
    ::focal::scamp_kernels! {
        pub fn public(&A) -> B using () = [[1, 0, 0]];
        pub(crate) fn in_crate(&A) -> B using () = [[0, 0, 1]];
        pub(super) fn in_super(&A) -> B using () = [[1], [0], [0]];
        pub(self) fn in_self(&A) -> B using () = [[0], [0], [1]];
        fn private(&A) -> B using () = [[1]];
    }

    pub(super) mod innermost {
        ::focal::scamp_kernels! {
            pub(in crate::visibility) fn in_path(&A) -> B using () = [[1, 0, 0]];
            pub(in super::super) fn in_relative_path(&A) -> B using () = [[1, 0, 0]];
        }
    }

    const _: [super::Plan; 3] = [in_self::PLAN, private::PLAN, innermost::in_relative_path::PLAN];
}
