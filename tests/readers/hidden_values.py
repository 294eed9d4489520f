"""Ways to hide words that hang on values which a browser computes: from an element's place, its attributes, an end."""

from __future__ import annotations

LIST = "<ul><li>one</li><li>{}</li><li>three</li></ul>".format
SECOND = LIST("secret words")
MOVED = "<p class=z>secret words</p>"


def _styled(css: str, body: str = SECOND) -> str:
    return f"<style>{css}</style>{body}"


def drawing(content: str, attributes: str = "width='300' height='60'") -> str:
    """A drawing in an address, as a picture has it."""
    source = f"<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{content}</svg>"
    return "data:image/svg+xml," + "".join(f"%{ord(one):02x}" if one in "<># '\"" else one for one in source)


def _under(style: str, picture: str) -> str:
    """The words, and a picture over them."""
    over = f'<img alt="" src="{picture}" style="position:absolute;left:0;top:0;{style}">'
    return f'<div style="position:relative"><p style="margin:0">secret words</p>{over}</div>'


def _ground(declared: str) -> str:
    """The words, and over them an empty box with a ground."""
    over = f'<i style="position:absolute;inset:0;background:{declared}"></i>'
    return f'<div style="position:relative;width:300px"><p style="margin:0">secret words</p>{over}</div>'


def _embedded(place: str, around: str = "width=300 height=60", before: str = "", after: str = "") -> str:
    """The words in a part of the page that stands in a drawing."""
    part = f"<foreignObject {place}><p style='margin:0'>secret words</p></foreignObject>"
    return f"<svg {around}>{before}{part}{after}</svg>"


def _wrapped(way: str, items: str, around: str = "{}") -> str:
    """Flexible boxes in lines, in a box that lets only a part of them be seen."""
    row = f'<div style="display:flex;flex-wrap:wrap;overflow:hidden;width:300px;{way}">{items}</div>'
    return around.format(row)


WIDE = '<div style="width:200px;{}">one</div>'.format
LONG = "<div>words that are long enough to fill the line of such a narrow box</div>"
FULL = "<rect width='300' height='60' fill='#ddd'/>"
SMALL = "<rect width='20' height='60' fill='#ddd'/>"
ICON = drawing(SMALL, "width='20' height='60'")
VIEW = "viewBox='0 0 300 60'"
WHOLE = "width=300 height=60"

HIDDEN = [
    _wrapped("height:20px", WIDE("order:1").replace("one", "secret words") + WIDE("height:24px")),
    _wrapped("height:20px", WIDE("height:24px") + WIDE("").replace("one", "secret words")),
    _wrapped(
        "height:20px;line-height:20px", '<p style="margin:0;flex:0 0 60%">a</p>' * 2 + "<p>secret words</p>" + LONG
    ),
    _wrapped("max-height:1.2em", LONG + "<div>secret words</div>"),
    _wrapped("height:30px;row-gap:20px", LONG + "<div>secret words</div>"),
    _wrapped("height:20px;flex-flow:row wrap", WIDE("height:24px") + '<b style="flex:1 0 200px">secret words</b>'),
    _wrapped(
        "",
        WIDE("height:24px") + WIDE("").replace("one", "secret words"),
        '<div style="height:20px;overflow:clip">{}</div>',
    ),
    _wrapped(
        "height:20px", WIDE("height:24px") + '<div style="width:200px;position:relative"><i>secret words</i></div>'
    ),
    _under("", drawing(FULL)),
    _under("width:100%;height:100%", drawing("<rect width='100%' height='100%' fill='#fff'/>")),
    _under("width:600px", drawing(FULL, VIEW)),
    _under("width:600px;height:120px", drawing(FULL, VIEW)),
    _under("width:100%;height:100%", drawing(FULL, f"{VIEW} preserveAspectRatio='none'")),
    _under("width:100%;height:100%", drawing("", "style='background:teal'")),
    _ground(f"url({drawing(FULL)})"),
    _ground(f"url({drawing(FULL)}) 0 0/cover no-repeat"),
    _embedded("width=0 height=30"),
    _embedded("height=30"),
    _embedded("x=400 width=200 height=40"),
    _embedded("y=-50 width=200 height=40"),
    _embedded("width=200 height=40 transform='translate(0 80)'"),
    _embedded(
        "width=200 height=40 clip-path='url(#c)'", before="<clipPath id=c><rect x=250 width=9 height=9 /></clipPath>"
    ),
    _embedded(WHOLE, after="<rect width=300 height=60 fill=white />"),
    _embedded("width=200 height=40 color=white", before="<rect width=300 height=60 fill=white />"),
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
    _wrapped("height:60px", WIDE("height:24px") + WIDE("").replace("one", "secret words")),
    _wrapped("height:20px", WIDE("height:24px") + '<div style="width:90px">secret words</div>'),
    _wrapped(
        "height:20px;align-content:flex-end", WIDE("height:24px") + WIDE("height:20px").replace("one", "secret words")
    ),
    _wrapped("height:20px;flex-wrap:wrap-reverse", WIDE("height:20px").replace("one", "secret words") + WIDE("")),
    _wrapped("height:20px", WIDE("height:24px") + WIDE("order:-1").replace("one", "secret words")),
    _wrapped("height:20px", WIDE("height:24px") + WIDE("margin-top:-24px").replace("one", "secret words")),
    _wrapped(
        "height:20px",
        WIDE("height:24px") + WIDE("").replace("one", "<i style='position:relative;top:-24px'>secret words</i>"),
    ),
    _wrapped("height:20px", LONG.replace("div", "div style='flex:1'", 1) + '<div style="flex:none">secret words</div>'),
    _wrapped("height:20px", WIDE("height:0") + WIDE("").replace("one", "secret words")),
    _wrapped(
        "height:20px", '<div>a<i style="font-size:2px">' + "many words " * 12 + "</i></div><div>secret words</div>"
    ),
    _under("", drawing(SMALL)),
    _under("", drawing("<rect width='300' height='60' fill='#ddd' opacity='.5'/>")),
    _under("", drawing("<g opacity='0'>" + FULL + "</g>")),
    _under("opacity:0", drawing(FULL)),
    _under("visibility:hidden", drawing(FULL)),
    _under("width:900px;height:20px", drawing("<rect width='60' height='60'/>", "viewBox='0 0 60 60'")),
    _under("", drawing(FULL, "width='300' height='60' opacity='0'")),
    _ground(f"url({ICON}) no-repeat right"),
    _ground(f"url({drawing(FULL)}) no-repeat 200px 0"),
    _embedded(WHOLE),
    _embedded("width=1 height=1 style='overflow:visible;white-space:nowrap'"),
    _embedded("x=400 width=200 height=40", f"{WHOLE} viewBox='300 0 300 60'"),
    _embedded("width='100%' height='100%'"),
    _embedded("width=200 height=40 style='color:white'", before="<rect width=300 height=60 fill=navy />"),
    _embedded(WHOLE, after="<rect x=200 width=100 height=60 fill=white />"),
    _embedded(WHOLE, after="<rect width=300 height=60 fill=none stroke=black />"),
    _embedded("style='width:200px;height:40px'"),
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
