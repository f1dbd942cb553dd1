// Two kernels.
scamp5_kernel_begin();
    get_image(A, B);
    movx(C, A, east);
    add(A, A, C); /* over
    two lines */ divq(B, A);
    where(B);
        mov(A, C);
    all();
scamp5_kernel_end();
scamp5_dynamic_kernel_begin();
    CLR(R5,R6); DNEWS0(R5, R6, east|west);
    NOR(R5,FLAG,SELECT); PROP0();
    newsblur(A,A,3); gauss(A,B,2); bus2(A,NEWS,B);
scamp5_dynamic_kernel_end();
