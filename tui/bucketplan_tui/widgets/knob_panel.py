"""The sliders, and a line that says what they amount to."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from bucketplan.corpus.corpus import Corpus
from bucketplan.figures.report import Report
from bucketplan.planning.knobs import Knobs
from bucketplan.planning.scenario import Scenario
from bucketplan.planning.strategies.bucket import FEW_LEFT
from bucketplan.settings import settings_of
from bucketplan_tui.widgets.scale import Scale
from bucketplan_tui.widgets.slider import Slider

_NOTE = 9


class KnobPanel(Vertical):
    """Bucket, micro-batch and accumulation; posts `Moved` when the user moved one."""

    scenario: reactive[Scenario] = reactive(Scenario(), init=False)
    report: reactive[Report | None] = reactive(None)

    class Moved(Message):
        """The user gave a knob another value."""

        def __init__(self, knob: str, value: int) -> None:
            self.knob, self.value = knob, value
            super().__init__()

    def __init__(self, corpus: Corpus, scenario: Scenario, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._records = len(corpus)
        self.set_reactive(KnobPanel.scenario, scenario)

    def compose(self) -> ComposeResult:
        """A slider for each, then the line."""
        values = self.scenario.values
        scales = {
            "bucket": Scale.powers(self._records),
            **{name: _scale(name) for name in ("micro_batch", "accumulation")},
        }
        for name, scale in scales.items():
            value = values.get(name)
            label = name.replace("_", "-").capitalize()
            yield Slider(label, int(value or 1), scale, id=name, note_width=_NOTE)
        yield Static("", id="window", markup=False)

    def on_mount(self) -> None:
        """Show where the knobs stand."""
        self.border_title = "Plan"
        self.watch_scenario()

    def watch_scenario(self) -> None:
        """Move the sliders to the knobs."""
        values = self.scenario.values
        for slider in self.query(Slider):
            value = values.get(slider.id or "")
            slider.disabled = value is None
            if value is not None:
                slider.value = int(value)

    def watch_report(self) -> None:
        """Say what the knobs amount to."""
        if self.report is None:
            return
        knobs, plan = self.report.knobs, self.report.plan
        records = knobs.micro_batch * knobs.window_size
        steps = -(-len(plan.micro_batches) // knobs.window_size)
        tokens = (self.report.number("padded_tokens") or 0) / steps
        self.query_one("#window", Static).update(f"window {records:,} records · {tokens:,.0f} tokens a step")
        self.border_subtitle = f"{knobs.strategy.name} · {_ranks(knobs)}seed {knobs.seed}"
        leftover = (self.report.number("leftover_records") or 0) / len(plan.selection)
        self.query_one("#bucket", Slider).note = f"! {leftover:.0%} left" if leftover > FEW_LEFT else ""

    def on_slider_changed(self, message: Slider.Changed) -> None:
        """Tell the screen which knob it was."""
        message.stop()
        self.post_message(self.Moved(message.slider.id or "", message.value))


def _ranks(knobs: Knobs) -> str:
    return "" if knobs.world_size == 1 else f"{knobs.world_size:,} ranks{' aligned' if knobs.align_ranks else ''} · "


def _scale(name: str) -> Scale:
    declared = next(each for each in settings_of(Knobs) if each.name == name)
    assert declared.minimum is not None
    assert declared.maximum is not None
    return Scale.integers(int(declared.minimum), int(declared.maximum))
