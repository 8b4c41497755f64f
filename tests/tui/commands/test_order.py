"""`bucketplan order`: the manifest, the copy and the recipe of a plan, and never at the cost of an existing file."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from bucketplan.errors import InputError, KnobError, UserError
from bucketplan.order import read_manifest
from bucketplan.trainers.recipes import NAMES
from bucketplan_tui.commands.order import run

LENGTHS = (3, 9, 4, 8, 5, 7, 6, 2, 9, 4)
SMALL = ("--micro-batch", "2", "--accumulation", "2")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    path = tmp_path / "cache.jsonl"
    path.write_text("".join(json.dumps({"input_ids": [1] * length}) + "\n" for length in LENGTHS))
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def test_the_manifest_holds_the_plan(cache: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("order.json", "order.npz"):
        assert run([str(cache), *SMALL, "--bucket", "4", "-o", str(out / name)]) == 0
        manifest = read_manifest(out / name)
        assert sorted(manifest.order.tolist()) == list(range(10))
        assert (manifest.knobs["bucket"], manifest.accumulation, manifest.steps) == (4, 2, 3)
        size = (out / name).stat().st_size
        assert capsys.readouterr().out == f"wrote {out / name} ({size:,} bytes): 10 records in 3 steps\n"


def test_what_is_cut_is_said(cache: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(cache), *SMALL, "--epochs", "2", "--whole-windows", "-o", str(out / "order.json")])
    assert "! 2 records of each epoch are cut, so that it has whole windows" in capsys.readouterr().out
    assert [len(part) for part in json.loads((out / "order.json").read_text())["cut"]] == [2, 2]


def test_the_rest_from_a_step_on(cache: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(cache), *SMALL, "-o", str(out / "all.json")])
    run([str(cache), *SMALL, "-o", str(out / "rest.json"), "--from-step", "1"])
    whole, rest = (json.loads((out / name).read_text())["order"] for name in ("all.json", "rest.json"))
    assert rest == whole[4:]
    assert "6 records in 2 steps from step 1 on" in capsys.readouterr().out


def test_the_copy_is_the_cache_in_plan_order(cache: Path, out: Path) -> None:
    run([str(cache), *SMALL, "-o", str(out / "order.json"), "--rewrite", str(out / "copy.jsonl")])
    order = read_manifest(out / "order.json").order.tolist()
    lengths = [len(json.loads(line)["input_ids"]) for line in (out / "copy.jsonl").read_text().splitlines()]
    assert lengths == [LENGTHS[number] for number in order]
    assert len(order) == 8


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_goes_to_stdout_and_the_rest_beside_it(
    name: str, cache: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([str(cache), *SMALL, "--seed", "5", "-o", str(out / "order.json"), "--recipe", name])
    told = capsys.readouterr()
    assert told.err.startswith(f"wrote {out / 'order.json'}")
    assert f"bucketplan order {cache} --micro-batch" not in told.err
    assert f"bucketplan order {cache} --accumulation 2 --seed 5 -o {out / 'order.json'}" in told.out


def test_a_recipe_alone_writes_nothing(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([str(cache), "--recipe", "torch"])
    assert 'read_manifest("order.json")' in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [cache]


def test_the_demo_can_be_exported_but_not_rewritten(out: Path) -> None:
    run(["--demo", "-o", str(out / "order.npz")])
    assert read_manifest(out / "order.npz").records == 45_444
    with pytest.raises(UserError, match="the demo holds no tokens"):
        run(["--demo", "--rewrite", str(out / "copy.jsonl")])


def test_nothing_to_make_is_refused(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run([str(cache)])
    assert ended.value.code == 2
    assert "nothing to make: give -o FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--from-step", "9"], "from-step: 9 is no step of the run - give 0 .. 0"),
        (["--from-step", "-1"], "from-step: -1"),
        (["--world-size", "16"], "no whole window"),
        (["--epochs", "100000", "--seed", "4294967295"], "seed"),
    ],
)
def test_what_cannot_be_planned_is_refused(cache: Path, out: Path, words: list[str], says: str) -> None:
    with pytest.raises((UserError, KnobError), match=says):
        run([str(cache), *words, "-o", str(out / "order.json")])
    assert not list(out.iterdir())


@pytest.mark.parametrize("option", ["--output", "--rewrite"])
def test_an_existing_file_is_replaced_only_by_force(cache: Path, out: Path, option: str) -> None:
    target = out / "file"
    target.write_bytes(b"precious")
    with pytest.raises(UserError, match="exists already - choose another target, or replace it with --force"):
        run([str(cache), *SMALL, option, str(target)])
    assert target.read_bytes() == b"precious"
    run([str(cache), *SMALL, option, str(target), "--force"])
    assert target.read_bytes().startswith(b"{")


@pytest.mark.parametrize("option", ["--output", "--rewrite"])
@pytest.mark.parametrize("link", ["the same name", "a symbolic link", "a hard link"])
def test_the_cache_itself_is_never_replaced(cache: Path, out: Path, link: str, option: str) -> None:
    target, content = cache if link == "the same name" else out / "link", cache.read_bytes()
    if link == "a symbolic link":
        target.symlink_to(cache)
    elif link == "a hard link":
        target.hardlink_to(cache)
    with pytest.raises(UserError, match="this is what is read"):
        run([str(cache), *SMALL, option, str(target), "--force"])
    assert cache.read_bytes() == content


def test_a_link_stays_and_its_file_is_replaced(cache: Path, out: Path) -> None:
    (out / "link").symlink_to(out / "file")
    run([str(cache), *SMALL, "-o", str(out / "link")])
    assert (out / "link").is_symlink()
    assert read_manifest(out / "file").records == 10


def test_manifest_and_copy_need_two_names(cache: Path, out: Path) -> None:
    with pytest.raises(UserError, match="have one name"):
        run([str(cache), "-o", str(out / "x"), "--rewrite", str(out / "../out/x")])


def test_a_cache_that_cannot_be_read_leaves_no_file(cache: Path, out: Path) -> None:
    cache.write_text(cache.read_text() + "no record\n")
    with pytest.raises(InputError):
        run([str(cache), "-o", str(out / "order.json")])
    assert not list(out.iterdir())


def limited(words: list[str], bytes_: int) -> subprocess.CompletedProcess[str]:
    """The command in a process that may write no file above so many bytes."""
    code = "import sys; from bucketplan_tui.commands import order, main; "
    code += "sys.exit(main.guarded(lambda: order.run(sys.argv[1:])))"

    def limit() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))

    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)


@pytest.mark.parametrize("option", ["--output", "--rewrite"])
def test_a_write_that_fails_names_target_and_reason_and_changes_nothing(cache: Path, out: Path, option: str) -> None:
    target = out / "file"
    target.write_bytes(b"precious")
    ran = limited([str(cache), *SMALL, option, str(target), "--force"], 100)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"{target}: File too large - free some space or choose another target\n"
    assert [path.read_bytes() for path in out.iterdir()] == [b"precious"]
