"""Evens out ranks and steps inside the freedom that a plan leaves, without changing any micro-batch.

Which rank takes which micro-batch of a window is free, and so is which rounds share a window. Both are dealt out by the
same rule: the heaviest first, each to whoever has least so far. What a window then holds keeps the order in which the
plan had it, and windows follow the plan's order of their heaviest round, so that time stays as random as it was.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bucketplan.planning.knobs import Knobs
from bucketplan.planning.plan import Plan

# How often windows share, at most; they stop where that narrows the spread of their seconds by less than this part.
_SHARINGS, _WORTH = 16, 0.02


def balanced(plan: Plan, seconds: NDArray[np.float64], knobs: Knobs) -> Plan:
    """The same micro-batches in an order that loads ranks, steps or both more evenly, as `knobs.balance` says.

    Args:
        plan: micro-batches of one size, but perhaps the last.
        seconds: (micro-batches,), what each costs.
        knobs: accumulation, world size, sync and balance. A window that is incomplete, or has a short last micro-batch,
            stays as it is.
    """
    groups = plan.micro_batches
    if knobs.balance == "off" or groups.size is None or plan.rows is not None:
        return plan
    whole = groups.total // groups.size // knobs.window_size
    if not whole:
        return plan
    order = np.arange(whole * knobs.window_size)
    if knobs.balance in ("steps", "both"):
        order = _even_steps(seconds, order, knobs)
    if knobs.balance in ("ranks", "both"):
        order = _even_ranks(seconds, order, knobs)
    table = plan.order[: len(order) * groups.size].reshape(-1, groups.size)[order]
    return replace(plan, order=np.concatenate([table.ravel(), plan.order[len(order) * groups.size :]]))


def _even_steps(seconds: NDArray[np.float64], order: NDArray[np.int64], knobs: Knobs) -> NDArray[np.int64]:
    """Rounds dealt out to windows: again and again, the heaviest window and the lightest share theirs out anew."""
    rounds = order.reshape(-1, knobs.world_size)
    loads = seconds[rounds].sum(axis=1) if knobs.sync == "step" else seconds[rounds].max(axis=1)
    windows = np.arange(len(rounds)).reshape(-1, knobs.accumulation)
    spread = float(loads[windows].sum(axis=1).std())
    for _ in range(_SHARINGS):
        shared = _shared_in_pairs(windows, loads)
        narrower = float(loads[shared].sum(axis=1).std())
        if narrower > spread * (1 - _WORTH):
            break
        windows, spread = shared, narrower
    heaviest = np.take_along_axis(windows, np.argmax(loads[windows], axis=1)[:, None], axis=1)[:, 0]
    in_time = np.sort(windows[np.argsort(heaviest)], axis=1)
    return np.asarray(rounds[in_time.ravel()].ravel())


def _shared_in_pairs(windows: NDArray[np.int64], loads: NDArray[np.float64]) -> NDArray[np.int64]:
    """The same rounds; the n-th heaviest window has shared with the n-th lightest."""
    by_load = np.argsort(loads[windows].sum(axis=1), kind="stable")
    half = len(windows) // 2
    light, heavy = by_load[:half], by_load[::-1][:half]
    both = np.concatenate([windows[heavy], windows[light]], axis=1)
    shares = dealt(loads[both], 2)
    shared = windows.copy()
    for taker, window in enumerate((heavy, light)):
        shared[window] = np.take_along_axis(both, shares[:, taker], axis=1)
    return shared


def _even_ranks(seconds: NDArray[np.float64], order: NDArray[np.int64], knobs: Knobs) -> NDArray[np.int64]:
    """Micro-batches of each window dealt out to ranks; or, where ranks wait after each, like ones to each round."""
    windows = order.reshape(-1, knobs.window_size)
    if knobs.sync == "step":
        shares = np.sort(dealt(seconds[windows], knobs.world_size), axis=2).transpose(0, 2, 1)
        dealt_out = np.take_along_axis(windows, shares.reshape(len(windows), -1), axis=1)
        worse = _slowest(seconds[dealt_out], knobs) > _slowest(seconds[windows], knobs)
        return np.where(worse[:, None], windows, dealt_out).ravel()
    heaviest_first = np.argsort(-seconds[windows], axis=1, kind="stable")
    rounds = heaviest_first.reshape(len(windows), knobs.accumulation, knobs.world_size)
    in_plan_order = np.argsort(rounds[:, :, 0], axis=1, kind="stable")
    rounds = np.take_along_axis(rounds, in_plan_order[:, :, None], axis=1)
    return np.take_along_axis(windows, rounds.reshape(len(windows), -1), axis=1).ravel()


def _slowest(seconds: NDArray[np.float64], knobs: Knobs) -> NDArray[np.float64]:
    """Seconds of the slowest rank of each window."""
    slowest = seconds.reshape(len(seconds), knobs.accumulation, knobs.world_size).sum(axis=1).max(axis=1)
    return np.asarray(slowest)


def dealt(loads: NDArray[np.float64], takers: int) -> NDArray[np.int64]:
    """Which loads each taker gets, all as many: the heaviest first, each to whoever has least and lacks one.

    Args:
        loads: (cases, takers x each).
        takers: how many.

    Returns:
        (cases, takers, each), positions in a case; each taker's heaviest first.
    """
    cases, count = loads.shape
    each = count // takers
    shares = np.empty((cases, takers, each), np.int64)
    carried, taken = np.zeros((cases, takers)), np.zeros((cases, takers), np.int64)
    case = np.arange(cases)
    for load in np.argsort(-loads, axis=1, kind="stable").T:
        taker = np.argmin(np.where(taken < each, carried, np.inf), axis=1)
        shares[case, taker, taken[case, taker]] = load
        carried[case, taker] += loads[case, load]
        taken[case, taker] += 1
    return shares
