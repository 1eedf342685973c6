-- Values that are random have no answer of their own, but bounds and a seed's repetition.
SELECT RAND() < 1.0, RAND(7) >= 0.0, RAND_INTEGER(5) < 5, RAND_INTEGER(7, 5) >= 0;
