//! The table of macro instructions, from which everything else about them follows.

use super::Definition;
use crate::template::{Form, Slot, Template};
use crate::{Axes, Direction, OperandKind, Operation};

definitions! {
    /// The instructions that linear combinations of images need; the search for kernels uses only these.
    ARITHMETIC in arithmetic {
        /// `res(a)`: a = 0.
        Res = "res" res(y: Result): {N} <- {}; {0} <- {N};
        /// `mov(y,x)`: y = x.
        Mov = "mov" mov(y: Result, x: Source): {N} <- {1}; {0} <- {N};
        /// `add(y,x0,x1)`: y = x0 + x1.
        Add = "add" add(y: Result, x0: Source, x1: Source): {N} <- {1, 2}; {0} <- {N};
        /// `add(y,x0,x1,x2)`: y = x0 + x1 + x2.
        Add3 = "add" add3(y: Result, x0: Source, x1: Source, x2: Source): {N} <- {1, 2, 3}; {0} <- {N};
        /// `sub(y,x0,x1)`: y = x0 − x1.
        Sub = "sub" sub(y: Result, x0: Source, x1: Source): {N} <- {1}; {0} <- {N, 2};
        /// `neg(y,x)`: y = −x.
        Neg = "neg" neg(y: Result, x: Source): {N} <- {}; {0} <- {N, 1};
        /// `divq(y,x)`: y = x/2.
        Divq = "divq" divq(y: Result, x: Source): {0, N} <- {1}; {0} <- {N};
        /// `div(y0,y1,y2)`: y0 = y2/2, y1 = −y2/2, y2 is rewritten with its own value.
        Div = "div" div(y0: Result, y1: Result, y2: Both): {0, 1} <- {2}; {N} <- {2, 1}; {2} <- {N, 0}; {0, 1} <- {2}; {0} <- {1};
        /// `div(y0,y1,y2,x)`: y0 = x/2, y1 = −x/2, y2 = x.
        DivCopy = "div" div_copy(y0: Result, y1: Result, y2: Result, x: Source):
            {0, 1} <- {3}; {N} <- {3, 1}; {2} <- {N, 0}; {0, 1} <- {2}; {0} <- {1};
        /// `diva(y0,y1,y2)`: y0 = y0/2, y1 = y2 = −(old y0)/2.
        Diva = "diva" diva(y0: Both, y1: Result, y2: Result): {1, 2} <- {0}; {N} <- {1, 0}; {0} <- {N, 2}; {1, 2} <- {0}; {0} <- {1};
        /// `movx(y,x,d)`: y = x of the neighbour in direction d.
        Movx = "movx" movx(y: Result, x: Source, d: Direction): {from 2} <- {1}; {0} <- {N};
        /// `mov2x(y,x,d,e)`: y = x at d + e.
        Mov2x = "mov2x" mov2x(y: Result, x: Source, d: Direction, e: Direction): {from 2} <- {1}; {0} <- {port 3};
        /// `addx(y,x0,x1,d)`: y = x0 + x1, both at d.
        Addx = "addx" addx(y: Result, x0: Source, x1: Source, d: Direction): {from 3} <- {1, 2}; {0} <- {N};
        /// `add2x(y,x0,x1,d,e)`: y = x0 + x1, both at d + e.
        Add2x = "add2x" add2x(y: Result, x0: Source, x1: Source, d: Direction, e: Direction): {from 3} <- {1, 2}; {0} <- {port 4};
        /// `subx(y,x0,d,x1)`: y = x0 at d − x1 here.
        Subx = "subx" subx(y: Result, x0: Source, d: Direction, x1: Source): {from 2} <- {1}; {0} <- {N, 3};
        /// `sub2x(y,x0,d,e,x1)`: y = x0 at d + e − x1 here.
        Sub2x = "sub2x" sub2x(y: Result, x0: Source, d: Direction, e: Direction, x1: Source): {from 2} <- {1}; {0} <- {port 3, 4};
    }
    /// Further analogue instructions.
    ANALOGUE in analogue {
        /// `res(a,b)`: a = b = 0.
        Res2 = "res" res2(a: Result, b: Result): {N} <- {}; {0} <- {N}; {1} <- {N};
        /// `mov(y,x,d)`: the same as `movx`; deprecated by the vendor.
        MovFrom = "mov" mov_from(y: Result, x: Source, d: Direction): {from 2} <- {1}; {0} <- {N};
        /// `sub(y,x0,d,x1)`: y = x0 at d − x1 here; deprecated by the vendor, since FLAG must be 1 everywhere.
        SubFrom = "sub" sub_from(y: Result, x0: Source, d: Direction, x1: Source): {N} <- {1}; {0} <- {port 2, 3};
        /// `abs(y,x)`: y = |x|; leaves FLAG at 1 everywhere.
        Abs = "abs" abs(y: Result, x: Source):
            {N} <- {}; {0} <- {N, 1}; {N} <- {1}; where {} <- {1}; {0} <- {N}; all {} <- {};
        /// `respix()`: the photo-sensors start anew.
        Respix = "respix" respix(): rpix {} <- {}; rpix {} <- {}; nop {} <- {};
        /// `respix(y)`: the photo-sensors start anew; y = their reset level.
        RespixRead = "respix" respix_read(y: Result): rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {N} <- {PIX}; {0} <- {N};
        /// `get_image(y)`: y = exposed − reset level; the photo-sensors start anew.
        GetImage = "get_image" get_image(y: Result): {N} <- {PIX}; rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {0} <- {N, PIX};
        /// `get_image(y,h)`: y = 2·exposed − reset level, h = −exposed; the photo-sensors start anew.
        GetImageFull = "get_image" get_image_full(y: Result, h: Result):
            {N} <- {PIX}; {1} <- {PIX}; rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {0} <- {1, N, PIX};
        /// `getpix(y,p)`: y = exposed − p; the exposure continues.
        Getpix = "getpix" getpix(y: Result, p: Source): {N} <- {PIX}; {0} <- {N, 1};
        /// `getpix(y,h,p)`: y = 2·exposed − p, h = −exposed; the exposure continues.
        GetpixFull = "getpix" getpix_full(y: Result, h: Result, p: Source): {1} <- {PIX}; {N} <- {PIX}; {0} <- {1, N, 2};
        /// `newsblur(y,x)`: y = mean of x in the four neighbours.
        Newsblur = "newsblur" newsblur(y: Result, x: Source): {N} <- {1}; mean {0} <- {XE, XW, XN, XS};
        /// `newsblurh(y,x)`: y = mean of x in the neighbours to the east and west.
        Newsblurh = "newsblurh" newsblurh(y: Result, x: Source): {N} <- {1}; mean {0} <- {XE, XW};
        /// `newsblurv(y,x)`: y = mean of x in the neighbours to the north and south.
        Newsblurv = "newsblurv" newsblurv(y: Result, x: Source): {N} <- {1}; mean {0} <- {XN, XS};
        /// `newsblur(y,x,n)`: `newsblur` n times, each time on the previous result.
        NewsblurTimes = "newsblur" newsblur_times(y: Result, x: Source, n: Times): {N} <- {1}; mean {0} <- {XE, XW, XN, XS}
            => again {N} <- {0}; mean {0} <- {XE, XW, XN, XS};
        /// `newsblurh(y,x,n)`: `newsblurh` n times.
        NewsblurhTimes = "newsblurh" newsblurh_times(y: Result, x: Source, n: Times): {N} <- {1}; mean {0} <- {XE, XW}
            => again {N} <- {0}; mean {0} <- {XE, XW};
        /// `newsblurv(y,x,n)`: `newsblurv` n times.
        NewsblurvTimes = "newsblurv" newsblurv_times(y: Result, x: Source, n: Times): {N} <- {1}; mean {0} <- {XN, XS}
            => again {N} <- {0}; mean {0} <- {XN, XS};
        /// `gauss(y,x)`: y = x diffused, three times there and back.
        Gauss = "gauss" gauss(y: Result, x: Source):
            blurset {} <- {}; blur {N} <- {1}; blur {0} <- {N}; blur {N} <- {0}; blur {0} <- {N}; blur {N} <- {0};
            blur {0} <- {N};
        /// `gaussh(y,x)`: y = x diffused along the rows.
        Gaussh = "gaussh" gaussh(y: Result, x: Source):
            blurset {} <- {}; blurh {N} <- {1}; blurh {0} <- {N}; blurh {N} <- {0}; blurh {0} <- {N};
            blurh {N} <- {0}; blurh {0} <- {N};
        /// `gaussv(y,x)`: y = x diffused along the columns.
        Gaussv = "gaussv" gaussv(y: Result, x: Source):
            blurset {} <- {}; blurv {N} <- {1}; blurv {0} <- {N}; blurv {N} <- {0}; blurv {0} <- {N};
            blurv {N} <- {0}; blurv {0} <- {N};
        /// `gauss(y,x,n)`: y = x diffused, n times there and back.
        GaussTimes = "gauss" gauss_times(y: Result, x: Source, n: Times): blurset {} <- {}; blur {N} <- {1}; blur {0} <- {N}
            => again blur {N} <- {0}; blur {0} <- {N};
        /// `gaussh(y,x,n)`: y = x diffused along the rows, n times there and back.
        GausshTimes = "gaussh" gaussh_times(y: Result, x: Source, n: Times): blurset {} <- {}; blurh {N} <- {1}; blurh {0} <- {N}
            => again blurh {N} <- {0}; blurh {0} <- {N};
        /// `gaussv(y,x,n)`: y = x diffused along the columns, n times there and back.
        GaussvTimes = "gaussv" gaussv_times(y: Result, x: Source, n: Times): blurset {} <- {}; blurv {N} <- {1}; blurv {0} <- {N}
            => again blurv {N} <- {0}; blurv {0} <- {N};
    }
    /// Instructions on digital registers. Most of them use `R0`, and some also `R12`.
    DIGITAL in digital {
        /// `NOT(r)`: r = not r.
        Not = "NOT" not_in_place(r: BitBoth): hold_nor {} <- {0}; store_nor {0} <- {};
        /// `OR(r,x)`: r = r or x.
        Or = "OR" or_in_place(r: BitBoth, x: BitSource): hold_or {} <- {0, 1}; store_or {0} <- {};
        /// `NOR(r,x)`: r = not (r or x).
        Nor = "NOR" nor_in_place(r: BitBoth, x: BitSource): hold_nor {} <- {0, 1}; store_nor {0} <- {};
        /// `AND(a,x,y)`: a = x and y.
        And = "AND" and(a: BitResult, x: BitSource, y: BitSource):
            SET {R0} <- {}; NOT {R12} <- {1}; NOT {R0} <- {2}; NOR {0} <- {R0, R12};
        /// `NAND(a,x,y)`: a = not (x and y).
        Nand = "NAND" nand(a: BitResult, x: BitSource, y: BitSource):
            SET {R0} <- {}; NOT {R12} <- {1}; NOT {R0} <- {2}; OR {0} <- {R0, R12};
        /// `ANDX(a,b,x)`: a = b and x; b becomes not x.
        Andx = "ANDX" andx(a: BitResult, b: BitBoth, x: BitSource): NOT {R0} <- {1}; NOT {1} <- {2}; NOR {0} <- {R0, 1};
        /// `NANDX(a,b,x)`: a = not (b and x); b becomes not x.
        Nandx = "NANDX" nandx(a: BitResult, b: BitBoth, x: BitSource): NOT {R0} <- {1}; NOT {1} <- {2}; OR {0} <- {R0, 1};
        /// `IMP(l,x,y)`: l = x or not y, so that y implies x.
        Imp = "IMP" imp(l: BitResult, x: BitSource, y: BitSource): NOT {R0} <- {2}; OR {0} <- {1, R0};
        /// `NIMP(l,x,y)`: l = y and not x.
        Nimp = "NIMP" nimp(l: BitResult, x: BitSource, y: BitSource): NOT {R0} <- {2}; NOR {0} <- {1, R0};
        /// `XORX(l,x,y)`: l = x xor y; x becomes x and not y.
        Xorx = "XORX" xorx(l: BitResult, x: BitBoth, y: BitSource):
            NOT {R0} <- {2}; NOR {0} <- {1, R0}; NOT {R0} <- {1}; NOR {1} <- {2, R0}; hold_or {} <- {0, 1}; store_or {0} <- {};
        /// `MUX(l,x,y,z)`: l = y where x is 1, else z; `R0` becomes x and `R12` the result.
        Mux = "MUX" mux(l: BitResult, x: BitSource, y: BitSource, z: BitSource):
            SET {R0} <- {}; MOV {R12} <- {3}; MOV {R0} <- {1}; MOV {R12} <- {2}; MOV {0} <- {R12};
        /// `CLR_IF(l,x)`: l = l and not x.
        ClrIf = "CLR_IF" clr_if(l: BitBoth, x: BitSource): NOT {R0} <- {0}; NOR {0} <- {R0, 1};
        /// `REFRESH(r)`: r is rewritten with its own value.
        Refresh = "REFRESH" refresh(r: BitBoth): hold_refresh {} <- {0}; store_refresh {0} <- {};
        /// `DNEWS(a,x,dirs)`: a = OR of x in the neighbours in these directions; outside the array x is 0.
        Dnews = "DNEWS" dnews(a: BitResult, x: BitSource, from: Directions):
            CLR {R1, R2, R3, R4} <- {}; SET {chosen 2} <- {}; DNEWS {0} <- {1};
        /// `DNEWS(a,x,dirs,b)`: a = OR of x in the neighbours in these directions; outside the array x is b.
        DnewsOutside = "DNEWS" dnews_outside(a: BitResult, x: BitSource, from: Directions, outside: Boundary):
            CLR {R1, R2, R3, R4} <- {}; SET {chosen 2} <- {}; DNEWS {0} <- {1, outside 3};
        /// `PROP0()`: a 1 in `R12` spreads to all PEs with `R0` = 1 that are connected to it through such PEs; 0
        /// outside the array.
        Prop0 = "PROP0" prop0(): read_propagation {} <- {}; propagate_0 {} <- {};
        /// `PROP1()`: the same as `PROP0()`, but with 1 outside the array.
        Prop1 = "PROP1" prop1(): read_propagation {} <- {}; propagate_1 {} <- {};
    }
}
