import os
import subprocess
import sys
from pathlib import Path

import bucketplan
from bucketplan.corpus.corpus import Corpus


def test_the_built_in_corpus_is_the_real_one(demo: Corpus) -> None:
    assert (len(demo), demo.tokens, demo.supervised_tokens) == (45_444, 37_224_542, 29_076_424)
    assert demo.roots is not None
    assert len(demo.roots.names) == 40
    assert demo.kinds is not None


def test_it_ships_in_little_space() -> None:
    assert (Path(bucketplan.__file__).parent / "readers" / "demo" / "demo.npz").stat().st_size < 250_000


def test_the_front_of_the_library_is_there_when_asked_for() -> None:
    assert bucketplan.Knobs().micro_batch == 2
    assert set(bucketplan.__all__) <= {*dir(bucketplan), *bucketplan._HOMES}


def test_the_library_needs_nothing_of_the_app() -> None:
    code = "import sys\nimport bucketplan\nbucketplan.Explorer(bucketplan.demo_corpus()).report(bucketplan.Knobs())\n"
    code += "assert not {'textual', 'rich', 'plotext', 'bucketplan_tui'} & set(sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], env=dict(os.environ), capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
