-- Functions of angles, logarithms and constants.
SELECT SIN(x), COS(x), TAN(x), COT(x), ASIN(x), ACOS(x), ATAN(x), ATAN2(x, 2.0e0), SINH(x), TANH(x), DEGREES(x), RADIANS(x), LOG(2.0e0, x), PI(), E()
FROM (VALUES (0.5e0), (1.0e0)) AS v(x);
