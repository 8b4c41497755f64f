import pytest

from bucketplan.cost.model import CostModel
from bucketplan.errors import KnobError
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario, settings
from bucketplan.planning.strategies.bucket import Bucket
from bucketplan.planning.strategies.sequential import Sequential


def test_every_setting_can_be_read_and_changed_by_name() -> None:
    for name, each in settings().items():
        assert name in Scenario().values, name
        start = Scenario().values[name]
        assert Scenario().change(name, start) == Scenario()
        assert each.parse(each.text(start)) == start


def test_changes_reach_the_strategy_the_knobs_and_the_cost() -> None:
    changed = Scenario().change("bucket", 32).change("micro_batch", 4).change("cost_fixed", 0.1)
    assert changed == Scenario(Knobs(Bucket(32), micro_batch=4), CostModel(fixed=0.1))


def test_assignments_choose_the_strategy_first() -> None:
    start = Scenario(Knobs(Sequential()))
    assert start.assign("bucket=64,strategy=bucket,micro-batch=4") == Scenario(Knobs(Bucket(64), micro_batch=4))


def test_an_option_of_another_strategy_is_refused_with_its_name() -> None:
    with pytest.raises(KnobError, match="bucket: the strategy sequential has no such knob - choose bucket"):
        Scenario(Knobs(Sequential())).change("bucket", 8)


@pytest.mark.parametrize("text", ["bucket", "=3", "buckets=3", "bucket=x", "strategy=none"])
def test_what_is_no_assignment_is_refused(text: str) -> None:
    with pytest.raises(KnobError):
        Scenario().assign(text)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(),
        Scenario(Knobs(Sequential(), micro_batch=4)),
        Scenario(
            Knobs(Bucket(100), max_length=512, over_max="truncate", align_ranks=False), CostModel(passes_mask=True)
        ),
    ],
)
def test_assignments_lead_from_one_plan_to_another(scenario: Scenario) -> None:
    start = Scenario(Knobs(Sequential(), seed=7))
    assert start.assign(scenario.assignments_from(start)).knobs == scenario.knobs


def test_values_lead_back_to_their_scenario() -> None:
    scenario = Scenario(Knobs(Bucket(64), micro_batch=4, max_length=512, cap="a=10"), CostModel(fixed=0.5))
    assert Scenario.of(scenario.values) == scenario
    with pytest.raises(KnobError, match="nothing"):
        Scenario.of({"nothing": 1})
    with pytest.raises(KnobError, match="micro-batch"):
        Scenario.of({"micro_batch": 0})


def test_the_baseline_is_file_order_with_the_same_knobs() -> None:
    assert Scenario(Knobs(Bucket(8), micro_batch=4)).baseline == Scenario(Knobs(Sequential(), micro_batch=4))
