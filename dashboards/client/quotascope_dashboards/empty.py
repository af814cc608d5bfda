"""What an empty chart says. Superset says the same words in every one; a page's CSS can put the chart's own sentence in their place.

The sentence is `when_empty` of the chart's file. A chart on a page is found by the anchor that Superset gives to each part of the layout.
"""

FIRST = "Nothing to show here, and this is why"
FILTERED = "Or the filters of this page leave nothing."
EMPTY = '[aria-label="empty"]'
SHARED = f"""
{EMPTY} .ant-empty-image {{ display: none; }}
{EMPTY} + div p {{ font-size: 0 !important; white-space: normal; }}
{EMPTY} + div p::before {{ font-size: 14px; content: "{FIRST}"; }}
"""


def sentence(chart: dict) -> str:
    """The whole text below the headline."""
    return f"{chart['when_empty']} {FILTERED}"


def css(dashboard: dict, charts: dict[str, dict]) -> str:
    """The rules of one dashboard; `charts` are those of the tree, by uuid."""
    placed = {
        key: charts.get(part["meta"]["uuid"]) for key, part in dashboard["position"].items() if isinstance(part, dict) and part["type"] == "CHART"
    }
    rules = [rule(key, chart) for key, chart in placed.items() if chart and chart.get("when_empty")]
    return SHARED + "\n".join(rules) + "\n"


def rule(anchor: str, chart: dict) -> str:
    words = sentence(chart).replace("\\", "\\\\").replace('"', '\\"')
    return f'.dashboard-component:has(> #{anchor}) {EMPTY} + div p.ant-empty-description::before {{ content: "{words}"; }}'
