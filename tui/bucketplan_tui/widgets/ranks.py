"""How long each rank computes, and how long it waits for the slowest."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

BUSY, WAITING = "█", "░"


class RanksChart(Widget):
    """A line a rank; neighbours share a line where there are more ranks than lines."""

    DEFAULT_CSS = """
    RanksChart {
        height: 1fr;
        text-wrap: nowrap;
        text-overflow: clip;
        .ranks--busy { color: $accent; }
        .ranks--waiting, .ranks--label { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES = {"ranks--busy", "ranks--waiting", "ranks--label"}  # noqa: RUF012 - as Textual declares it

    busy: reactive[tuple[float, ...]] = reactive(())

    def render(self) -> Content:
        """Labels, bars and shares, as wide as there is room."""
        lines = rank_lines(self.busy, self.size.width, self.size.height)
        styles = {part: self.get_visual_style(f"ranks--{part}") for part in ("label", "busy", "waiting")}
        return Content("\n").join(
            Content.assemble(
                (label, styles["label"]), (bar, styles["busy"]), (rest, styles["waiting"]), (share, styles["label"])
            )
            for label, bar, rest, share in lines
        )


def rank_lines(busy: tuple[float, ...], width: int, height: int) -> list[tuple[str, str, str, str]]:
    """Label, busy bar, waiting bar and busy share of each line.

    Args:
        busy: the share of the time that each rank computes.
        width: cells of a line.
        height: lines.
    """
    if not busy or height < 1:
        return []
    each = -(-len(busy) // height)
    labels = [_label(start, min(start + each, len(busy)) - 1) for start in range(0, len(busy), each)]
    label_cells = max(map(len, labels)) + 1
    cells = max(width - label_cells - 5, 0)
    lines = []
    for number, label in enumerate(labels):
        part = busy[number * each : (number + 1) * each]
        share = sum(part) / len(part)
        filled = round(share * cells)
        lines.append((label.ljust(label_cells), BUSY * filled, WAITING * (cells - filled), f"{share:>5.0%}"))
    return lines


def _label(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
