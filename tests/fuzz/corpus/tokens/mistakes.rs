fn a(A) -> B = [[1, x], [1]]; fn b(A) -> B = [[1]] fn c(A) => B = [[1]]; unsafe fn d(A) -> B = [[1]; 3];
#[search(nods = 1)] fn e(A) -> (B, C) { B = [[1/3]]; C = ; } fn f(A)
