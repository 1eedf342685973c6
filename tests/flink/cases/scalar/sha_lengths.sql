-- Digests of every length.
SELECT SHA224('a'), SHA256('a'), SHA384('a'), SHA512('a'), SHA2('a', 384), MD5(''), CHARACTER_LENGTH('ab');
