"""Ways to hide words by which style sheets of a page apply, and by what is to paint the letters of a drawing."""

from __future__ import annotations

HIDES, SHOWS = ".x{display:none}", ".x{display:block!important}"
MARKED = "<p class=x>secret words</p>"


def _sheet(css: str, told: str = "") -> str:
    return f"<style {told}>{css}</style>"


def _link(css: str, told: str = "", rel: str = "stylesheet") -> str:
    return f'<link rel="{rel}" {told} href="data:text/css,{css}">'


def _named(name: str) -> str:
    return f'<meta http-equiv="Default-Style" content="{name}">'


def _painted(paint: str, server: str = "") -> str:
    """Words of a drawing with what paints their letters."""
    return f"<svg width=600 height=60>{server}<text x=5 y=20 {paint}>secret words</text></svg>"


def _gradient(stops: str, told: str = "") -> str:
    return f"<linearGradient id=g {told}>{stops}</linearGradient>"


def _tiles(told: str, colour: str = "black") -> str:
    return f"<pattern id=g {told}><rect width=9 height=9 fill={colour} /></pattern>"


RED, WHITE = "<stop stop-color=red />", "<stop stop-color=white />"
OTHER = f"<linearGradient id=h>{WHITE}</linearGradient>"
SIZED = "width=9 height=9 patternUnits=userSpaceOnUse"
UNSHOWN = '<svg style="display:none">{}</svg>'.format

SHEETS_HIDDEN = [
    _sheet(HIDES, "title=A") + _sheet(SHOWS, "title=B"),
    _sheet(HIDES, "title=A") + _sheet(SHOWS, "title=a"),
    _sheet(HIDES, "title=A") + _sheet(SHOWS, 'title=" "'),
    _link(HIDES, "title=A") + _sheet(SHOWS, "title=B"),
    _link(SHOWS, "title=A", "alternate stylesheet") + _sheet(HIDES, "title=B"),
    _sheet(HIDES) + _link(SHOWS, "", "alternate stylesheet"),
    _sheet(HIDES) + _link(SHOWS, "disabled"),
    _named("B") + _sheet(SHOWS, "title=A") + _sheet(HIDES, "title=B"),
    _named("B") + _sheet(SHOWS, "title=A") + _link(HIDES, "title=B", "alternate stylesheet"),
    _named("") + _sheet(HIDES, "title=A") + _sheet(SHOWS, "title=B"),
    _sheet("", "title=A type=text/less") + _sheet(HIDES, "title=B"),
    _link("p{}", "title=A disabled") + _sheet(HIDES, "title=B"),
    "<template><style title=A></style></template>" + _sheet(HIDES, "title=B"),
    _sheet(HIDES, "disabled"),
    _sheet(HIDES, "type=TEXT/CSS"),
    _link(HIDES, 'type="text/css; charset=utf-8"'),
]
SHEETS_SEEN = [
    _sheet("", "title=A") + _sheet(HIDES, "title=B"),
    _sheet("p{}", "title=A media=print") + _sheet(HIDES, "title=B"),
    _link("p{}", "title=A") + _sheet(HIDES, "title=B"),
    _sheet(HIDES, "title=A") + _sheet(SHOWS, "title=A"),
    _sheet(HIDES, "title=A") + _sheet(SHOWS),
    _sheet(HIDES, "title=A") + _sheet(SHOWS, 'title=""'),
    _sheet(HIDES, "title=A") + _link(SHOWS, "title=A", "alternate stylesheet"),
    _sheet("p{}", "title=A") + f"<svg width=1 height=1>{_sheet(HIDES, 'title=B')}</svg>",
    _link(HIDES, "", "alternate stylesheet"),
    _sheet(SHOWS, "title=A") + _sheet(HIDES, "title=B") + _named("B"),
    _sheet(HIDES) + _sheet(SHOWS, "disabled"),
    _sheet(HIDES, 'type="text/css; charset=utf-8"'),
    _sheet(HIDES, 'type=" text/css "'),
]
HIDDEN = [
    *(sheet + MARKED for sheet in SHEETS_HIDDEN),
    _painted('fill="url(#n)"'),
    _painted('fill="url(#n) none"'),
    _painted('fill="url(#n) white"'),
    _painted('fill="url(#a.b:c)"'),
    _painted('fill="url(other.svg#n)"'),
    _painted('fill="context-fill"'),
    _painted('style="fill:url(#n)"'),
    _painted('fill="none" stroke="url(#n)"'),
    _painted('fill="white" stroke="url(#n)"'),
    _painted('fill="url(#r)"', "<rect id=r width=1 height=1 />"),
    _painted('fill="url(#g)"', _gradient("")),
    _painted('fill="url(#g) red"', _gradient("")),
    _painted('fill="url(#g) red"', _gradient(WHITE)),
    _painted('fill="url(#g)"', _gradient("<stop style='stop-color:white' />")),
    _painted('fill="url(#g)"', _gradient(RED.replace("red", "red stop-opacity=0"))),
    _painted('fill="url(#g)"', _gradient("", "href=#h") + OTHER),
    _painted('fill="url(#g)"', _gradient("", "href=#h")),
    _painted('fill="url(#g)"', f"<pattern id=g {SIZED}></pattern>"),
    _painted('fill="url(#g)"', _tiles("")),
    _painted('fill="url(#g)"', _tiles(SIZED.replace("width=9", "width=0"))),
    _painted('fill="url(#g)"', _tiles(SIZED, "white")),
    "<svg width=600 height=60><g fill='url(#n)'><text x=5 y=20>secret words</text></g></svg>",
    "<style>text{--f:url(#n);fill:var(--f)}</style>" + _painted(""),
    "<style>stop{stop-color:white}</style>" + _painted('fill="url(#g)"', _gradient(RED)),
    UNSHOWN(_gradient(RED)) + _painted('fill="url(#g)"'),
    UNSHOWN(_tiles(SIZED)) + _painted('fill="url(#g)"'),
    "<div id=g></div>" + _painted('fill="url(#g)"', _gradient(RED)),
]
SEEN = [
    *(sheet + MARKED for sheet in SHEETS_SEEN),
    _painted('fill="url(#n) red"'),
    _painted('fill="url(#n) currentColor"'),
    _painted('fill="url(#n)" stroke="black"'),
    _painted('fill="none" stroke="url(#n) red"'),
    _painted('fill="white" stroke="url(#n) blue"'),
    _painted('fill="none" stroke="url(#g)"', _gradient(RED)),
    _painted('fill="url(#r) red"', "<rect id=r width=1 height=1 />"),
    _painted('fill="nonsense"'),
    _painted('fill="url(#g)"', _gradient(RED)),
    _painted('fill="url(#a.b)"', _gradient(RED).replace("id=g", "id=a.b")),
    _painted('fill="url(#g)"', _gradient("", "href=#h") + OTHER.replace("white", "red")),
    _painted('fill="url(#g)"', _gradient(f"{WHITE}<stop offset=1 stop-color=black />")),
    _painted('fill="url(#g)"', _tiles(SIZED)),
    _painted('fill="url(#g) red"', _tiles("")),
    "<svg width=600 height=60><g fill='url(#n)'><text x=5 y=20 fill=black>secret words</text></g></svg>",
    "<style>text{fill:url('#n') #000}</style>" + _painted(""),
    "<svg width=0 height=0>" + _gradient(RED) + "</svg>" + _painted('fill="url(#g)"'),
    '<div style="color:white">' + _painted("") + "</div>",
]
