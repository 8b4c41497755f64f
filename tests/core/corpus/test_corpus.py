import hashlib
import struct
from dataclasses import replace

import numpy as np

from bucketplan.corpus.corpus import Corpus, categories


def corpus() -> Corpus:
    lengths = np.array([3, 70_000, 1], np.int32)
    return Corpus("three", lengths, np.array([0, 5, 1], np.int32), categories(["b", "ä\ud800", "b"]))


def test_counts() -> None:
    three = corpus()
    assert (len(three), three.tokens, three.supervised_tokens, three.fully_masked) == (3, 70_004, 6, 1)
    assert three.roots is not None
    assert (three.roots.names, three.roots.counts.tolist()) == (("b", "ä\ud800"), [2, 1])


def test_the_fingerprint_is_the_hash_of_each_column() -> None:
    fingerprint = corpus().fingerprint
    assert fingerprint.lengths == hashlib.sha256(struct.pack("<3i", 3, 70_000, 1)).hexdigest()
    assert fingerprint.supervised == hashlib.sha256(struct.pack("<3i", 0, 5, 1)).hexdigest()
    names = [b"b", b"\xc3\xa4\xed\xa0\x80", b"b"]
    assert fingerprint.roots == hashlib.sha256(b"".join(struct.pack("<i", len(n)) + n for n in names)).hexdigest()
    assert fingerprint.kinds is None


def test_fingerprints_match_where_both_have_a_column() -> None:
    whole, bare = corpus(), replace(corpus(), supervised=None, roots=None)
    assert whole.fingerprint.matches(bare.fingerprint)
    assert bare.fingerprint.matches(whole.fingerprint)
    other = replace(whole, roots=categories(["b", "b", "b"]))
    assert not whole.fingerprint.matches(other.fingerprint)
    assert other.fingerprint.matches(bare.fingerprint)
    longer = replace(bare, lengths=np.array([3, 70_000, 2], np.int32))
    assert not longer.fingerprint.matches(whole.fingerprint)
