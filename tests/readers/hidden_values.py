"""Ways to hide words that hang on values which a browser computes: from an element's place, its attributes, an end."""

from __future__ import annotations

LIST = "<ul><li>one</li><li>{}</li><li>three</li></ul>".format
SECOND = LIST("secret words")
MOVED = "<p class=z>secret words</p>"


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
    *(
        _styled(f"@keyframes go{{{frames}}}@keyframes nothing{{to{{margin:0}}}}.z{{{animation}}}", MOVED)
        for frames, animation in (
            ("100%{translate:-200vw}", "animation:go 1ms both"),
            ("to{margin-left:-3000px}", "animation:1ms go forwards"),
            ("from{text-indent:-3000px}to{text-indent:-3000px}", "animation:go 1ms infinite;white-space:nowrap"),
            ("to{clip-path:inset(0 0 100% 0)}", "animation:go 1ms both"),
            ("90%,100%{height:0;overflow:hidden}", "animation:go 1ms both"),
            ("from{left:-3000px}", "position:relative;animation:go 1ms reverse both"),
            ("to{opacity:0}", "animation:nothing 1ms both, go 1ms both"),
            ("to{visibility:hidden}", "animation-name:nothing,go;animation-duration:1ms;animation-fill-mode:forwards"),
            ("to{color:transparent}", "animation:nothing 1s infinite, go 1ms both"),
        )
    ),
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
    *(
        _styled(f"@keyframes go{{{frames}}}@keyframes back{{to{{opacity:1}}}}.z{{{animation}}}", MOVED)
        for frames, animation in (
            ("to{translate:-200vw}", "animation:go 1ms"),
            ("to{translate:-200vw}", "animation:go 1ms both alternate 2"),
            ("from{translate:-200vw}", "animation:go 1ms both"),
            ("to{opacity:0}", "animation:go 1ms both, back 1ms both"),
            ("to{opacity:0}", "animation-name:back,go;animation-duration:1ms;animation-fill-mode:both,none"),
            ("to{opacity:0}", "opacity:1!important;animation:go 1ms both"),
        )
    ),
]
