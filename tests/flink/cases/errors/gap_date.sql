-- A day that the calendar left out in 1582.
SELECT DATE '1582-10-10', DATE '1582-10-04', DATE '1582-10-15';
