mov(B,A);
