mod filters {
    cain_runtime::scamp_kernels! {
        fn private(&A) -> B using () = [[0, 0, 1]];
        pub(self) fn in_self(&A) -> B using () = [[0, 0, 1]];
    }
}

fn main() {
    println!("{}", filters::private::PLAN);
    println!("{}", filters::in_self::PLAN);
}
