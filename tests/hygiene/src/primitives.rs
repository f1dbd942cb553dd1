//! Functions among items with the names of primitive types, and with such names themselves.
#![allow(dead_code, non_camel_case_types, missing_docs, reason = "the names are what matters here")]

pub struct bool;
pub struct f32;
pub struct f64;
pub struct i8;
pub struct i16;
pub struct i32;
pub struct i64;
pub struct u8;
pub struct u16;
pub struct u32;
pub struct u64;
pub struct usize;
pub struct str;

::focal::scamp_kernels! {
    pub fn kernel(&A) -> B using () = [[1, 0, 0]];
    #[search(isa = digital, bits = 1)]
    pub fn bits(image) -> sum = [[1, 0, 1]];
}

::focal::scamp_network! {
    pub network classes {
        input = { size = [4, 4], levels = -60..60, binarise = 128 };
        sums = windows { size = [2, 2], mean = true };
        scores = dense { weights = [[0.5, -0.25, 0.5, 0.25], [-0.5, 0.25, 0.5, 1]], bias = [1, -1] };
        scaled = affine { scale = 0.5, shift = 1 };
        class = argmax;
        more = dense { from = scores, weights = [[1, 1]], bits = 16 };
        joined = join { from = [scores, more] };
    }
}

::focal::scamp_network! {
    pub network counted {
        input = { size = [4, 4], levels = -60..60, binarise = 128 };
        are_bright = threshold { at = 30 };
        counts = windows { size = [2, 2] };
        places = events { from = are_bright, capacity = 4 };
    }
}

::focal::scamp_network! {
    #![machine(registers = 10)]

    #[search(nodes = 100, isa = macro)]
    pub automaton cells {
        size = [2, 2];
        alive = 26;
        classes = 1;
        denominator = 8;
        layers = [[[[[1]], [[0]]]]];
    }
}

pub mod named {
    //! Modules of generated code with these names are beside the functions.

    ::focal::scamp_kernels! {
        pub fn f32(&A) -> B using () = [[1, 0, 0]];
        pub fn i32(&A) -> B using () = [[0, 0, 1]];
        pub fn usize(&A) -> B using () = [[1], [0], [0]];
    }

    ::focal::scamp_network! {
        pub network u8 {
            input = { size = [4, 4], levels = -60..60, binarise = 128 };
            sums = windows { size = [2, 2] };
            scores = dense { weights = [[1, 2, 3, 4], [4, 3, 2, 1]] };
            class = argmax;
        }
    }
}
