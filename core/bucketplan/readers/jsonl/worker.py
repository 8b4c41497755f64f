"""A process that takes ranges of a file as long as there are any, for the process that has started it.

It gets a job through its standard input, and answers at the end, with the parts it has read, through its standard
output. Only Python itself, as the same user, talks to it.
"""

import os
import pickle
import sys

from bucketplan.readers.jsonl.byte_ranges import Job, take_ranges


def main() -> None:
    """Take part in a job. The arguments are the descriptor of a pipe of ranges, and the parent's process number."""
    queue, parent = int(sys.argv[1]), int(sys.argv[2])

    def watch(_: int) -> None:
        if os.getppid() != parent:
            sys.exit(1)

    job: Job = pickle.load(sys.stdin.buffer)
    parts = list(take_ranges(job, queue, watch))
    pickle.dump(parts, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
