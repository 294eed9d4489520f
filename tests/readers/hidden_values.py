"""Ways to hide words that hang on values which a browser computes: from an element's place, its attributes, an end."""

from __future__ import annotations

LIST = "<ul><li>one</li><li>{}</li><li>three</li></ul>".format
SECOND = LIST("secret words")


def _styled(css: str, body: str = SECOND) -> str:
    return f"<style>{css}</style>{body}"


HIDDEN = [
    _styled("li{opacity:calc((sibling-index() - 2) * (sibling-index() - 2))}"),
    _styled("li{font-size:calc(16px * abs(sibling-index() - 2))}"),
    _styled("li{text-indent:calc(-2000px * (1 - abs(sibling-index() - 2)))}"),
    _styled("ul{--by:sibling-index()}li{opacity:abs(calc(var(--by) - 2))}"),
    _styled("@supports (opacity:sibling-index()){li{scale:calc(3 - sibling-count())}}", f"<i>x</i>{SECOND}"),
    "<div><p>x</p><p style='opacity:calc(2 - sibling-index())'>secret words</p></div>",
    "<p data-ink=transparent style='color:attr(data-ink type(<color>))'>secret words</p>",
    "<p data-tall=0 style='height:attr(data-tall px);overflow:hidden'>secret words</p>",
    "<p data-way=none style='display:attr(data-way type(<custom-ident>), block)'>secret words</p>",
    "<p style='font-size:attr(data-size type(<length>), 0px)'>secret words</p>",
    "<p data-size=big style='font-size:attr(data-size type(<length> | <percentage>), 0px)'>secret words</p>",
    "<p data-to=-3000 style='transform:translateX(attr(data-to px))'>secret words</p>",
    _styled("p{--seen:attr(data-seen number, 1)}b{opacity:var(--seen)}", "<p data-seen=0><b>secret words</b></p>"),
    "<p data-all='0 0' style='scale:attr(data-all type(*))'>secret words</p>",
]

SEEN = [
    _styled("li{opacity:calc(sibling-index() - 1)}"),
    _styled("li{opacity:calc(sibling-count() - sibling-index())}"),
    _styled("ul{--by:sibling-index()}li{opacity:calc(var(--by) - 1)}"),
    _styled("@supports not (opacity:sibling-index()){li{display:none}}"),
    "<div><p style='opacity:calc(2 - sibling-index())'>secret words</p><p>x</p></div>",
    "<p data-ink=navy style='color:attr(data-ink type(<color>), white)'>secret words</p>",
    "<p data-ink=5px style='color:attr(data-ink type(<color>), black)'>secret words</p>",
    "<p data-way=none style='display:attr(data-way)'>secret words</p>",
    "<p data-tall=0px style='height:attr(data-tall px);overflow:hidden'>secret words</p>",
    "<p style='opacity:attr(data-none number)'>secret words</p>",
    _styled("p::after{content:attr(data-note)}", "<p data-note='secret words'>x</p>"),
    _styled("p::after{content:attr(data-note, 'secret words')}", "<p>x</p>"),
    _styled("p{--note:attr(data-note)}b::after{content:var(--note)}", "<p data-note='secret words'><b>x</b></p>"),
    _styled("p{--note:'secret words'}p::before{content:var(--note)}", "<p>x</p>"),
]
