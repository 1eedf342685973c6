SET execution.runtime-mode = batch;
SET a.b='c d';
RESET;
RESET 'a.b';
RESET a.b;
DESCRIBE a.t;
DESC EXTENDED t;
