-- ALTER that cannot be.
ALTER TABLE nope RENAME TO nope2;
