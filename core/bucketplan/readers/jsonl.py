"""JSON Lines: the lines of a text become a corpus."""

from bucketplan.corpus import Corpus
from bucketplan.readers.columns import Columns
from bucketplan.readers.fault import Fault
from bucketplan.readers.quick import quick_record
from bucketplan.readers.record import read_record
from bucketplan.readers.source import Line, Source, lines

_WHITE_SPACE = b" \t\r"


def read_jsonl(source: Source, *, skip_bad: bool = False) -> Corpus:
    """The corpus of an opened text.

    Args:
        source: what `opened` gave.
        skip_bad: pass over bad records instead of stopping at the first.

    Raises:
        InputError: a record is bad, or none is left.
        Cancelled: as `opened`.
    """
    columns = Columns(source.path, skip_bad=skip_bad)
    warnings = list(source.warnings)
    for line in lines(source):
        record = quick_record(line.content)
        if record is None:
            if not line.content.strip(_WHITE_SPACE):
                continue
            try:
                record = read_record(line.content)
            except Fault as fault:
                verdict = _cut(fault) if _was_cut(fault, line) else fault
                columns.refuse(line.number, verdict)
                if verdict is not fault:
                    warnings.append(f"line {line.number}: {verdict.problem}")
                continue
        columns.add(line.number, record)
    return columns.corpus(tuple(warnings))


def _was_cut(fault: Fault, line: Line) -> bool:
    """Whether this is what an interrupted writer leaves behind."""
    return fault.unparsed and not line.ended


def _cut(fault: Fault) -> Fault:
    problem = f"truncated or incomplete last line ({fault.problem})"
    return Fault(None, problem, "write or fetch the cache again", unparsed=True)
