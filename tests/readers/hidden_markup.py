"""Pages whose words are hidden, or seem to be and are not, by every way that a page has.

The reader tests read them; `tests/browser/test_hidden_markup_on_the_page.py` proves in Chromium that each says what it
claims.
"""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass, replace

import hidden_layouts
import hidden_paints
import hidden_rules
import hidden_values

WORDS = "secret words"


def bitmap(blue: int, green: int, red: int) -> str:
    """A picture of one pixel, as an address."""
    pixel = bytes((blue, green, red, 0))
    head = b"BM" + struct.pack("<IHHI", 54 + len(pixel), 0, 0, 54)
    told = struct.pack("<IiiHHIIiiII", 40, 1, 1, 1, 24, 0, len(pixel), 2835, 2835, 0, 0)
    return f"data:image/bmp;base64,{base64.b64encode(head + told + pixel).decode()}"


LOWERED = f"<p style='position:relative;z-index:-1'>{WORDS}</p>"
AROUND = f'<div style="position:relative"><p style="margin:0">{WORDS}</p>'
OVER, AT = 'style="position:absolute;inset:0;', 'style="position:absolute;left:0;top:0;'
OPAQUE, DARK = bitmap(255, 255, 255), bitmap(60, 30, 20)


@dataclass(frozen=True, slots=True)
class Case:
    """A page, or a part of one, that shows the words or does not."""

    name: str
    source: str
    seen: bool


def page(body: str, css: str = "", *, doctype: str = "<!doctype html>", head: str = "") -> str:
    style = f"<style>{css}</style>" if css else ""
    return (
        f"{doctype}<html><head><style>html,button,select,textarea{{font-family:monospace}}</style>{head}{style}</head>"
        f"<body><p>before</p>{body}<p>after</p></body></html>"
    )


STYLED_HIDDEN = """
color:white;background:linear-gradient(black,black) 0 0/0 0 no-repeat
color:white;background-image:linear-gradient(black,black);background-size:0 0
box-shadow:inset 0 0 0 100px black
margin-top:-3000px
transform:scaleZ(0)
transform:scale3d(1,1,0)
display:none
display:none!important;display:block
display:none;display:bogus
display:table-column
visibility:hidden
visibility:collapse
opacity:0
opacity:0.01
opacity:1%
opacity:calc(0.5 - 0.5)
font-size:0
font-size:0.5px
font-size:1px
font-size:0.05rem
font-size:calc(1px * 0)
font-size:max(0px, 0.2px)
font-size:clamp(0px, 0.1vw, 1px)
font:0/0 a
font:1px/1 serif
color:white
color:#fff
color:#FFFFFF
color:#fffffe
color:#f8f8f8
color:#ffff
color:#fff0
color:rgb(255,255,255)
color:rgb(255 255 255 / 100%)
color:rgba(0,0,0,0)
color:rgba(0,0,0,.02)
color:rgb(100%,100%,100%)
color:rgb(calc(250 + 5),255,255)
color:hsl(0,0%,100%)
color:hsl(120deg 50% 99%)
color:hwb(0 100% 0%)
color:lab(100 0 0)
color:lch(100% 0 0)
color:oklab(1 0 0)
color:oklch(100% 0 0)
color:color(srgb 1 1 1)
color:color(display-p3 1 1 1)
color:color-mix(in srgb, white, white)
color:color-mix(in srgb, white 98%, black)
color:color-mix(in oklab, transparent, transparent)
color:light-dark(white, black)
color:transparent
color:Canvas
color:rgb(from white r g b)
color:rgb(from black r g b / 0.01)
color:snow
color:white;background:white
color:black;background-color:black
color:#036;background:#036
color:rgb(10,10,10);background:linear-gradient(#0a0a0a,#0b0b0b)
color:red;background-color:currentColor
color:blue;background:hsl(240 100% 50%)
-webkit-text-fill-color:transparent
-webkit-text-fill-color:white
background:black;-webkit-text-fill-color:#000;color:white
-webkit-text-security:disc
position:absolute;left:-9999px
position:absolute;top:-9999px
position:fixed;left:-200vw
position:fixed;top:200vh
position:fixed;left:110vw
position:absolute;left:-999em
position:absolute;inset:-9999px auto auto -9999px
position:absolute;right:100vw
position:absolute;inset-inline-start:-9999px
position:relative;left:-5000px
margin-left:-9999px;width:400px
margin-inline-start:-9999px;width:400px
position:absolute;clip:rect(0,0,0,0)
position:absolute;clip:rect(1px,1px,1px,1px)
position:absolute;clip:rect(1px 1px 1px 1px)
position:fixed;clip:rect(0 auto 0 auto)
clip-path:inset(50%)
clip-path:inset(100%)
clip-path:inset(0 100% 0 0)
clip-path:circle(0)
clip-path:circle(0px at 50% 50%)
clip-path:ellipse(0 50%)
clip-path:polygon(0 0, 0 0, 0 0)
clip-path:polygon(0 0, 100% 0, 50% 0)
clip-path:rect(0 0 0 0)
clip-path:xywh(0 0 0 0)
-webkit-clip-path:inset(100%)
transform:scale(0)
transform:scale(0,1)
transform:scaleX(0)
transform:scaleY(0)
transform:scale(.01)
transform:scale3d(0,0,0)
transform:matrix(0,0,0,0,0,0)
transform:translateX(-9999px)
transform:translate(-200vw)
transform:translate3d(-9999px,0,0)
transform:translateY(-9999px)
transform:translateX(-200%)
transform:rotateY(90deg)
transform:rotateX(90deg)
transform:rotateY(180deg);backface-visibility:hidden
scale:0
translate:-9999px
rotate:y 90deg
zoom:.01
filter:opacity(0)
filter:opacity(0%) blur(1px)
mask-image:linear-gradient(transparent,transparent)
-webkit-mask:linear-gradient(#0000,#0000)
height:0;overflow:hidden
height:0;overflow:clip
height:0;overflow-y:hidden
height:0;overflow:auto
block-size:0;overflow:hidden
max-height:0;overflow:hidden
max-height:0%;height:0;overflow:hidden
width:0;overflow:hidden
max-width:0;overflow:hidden;white-space:nowrap
width:1px;height:1px;overflow:hidden
position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);border:0
height:calc(1px - 1px);overflow:hidden
line-height:0;overflow:hidden
contain:strict
contain:size paint
content-visibility:hidden
text-indent:-9999px
text-indent:-999em
text-indent:100%;white-space:nowrap;overflow:hidden
font-size-adjust:0
animation:none;opacity:0
all:unset;display:none
display:block;opacity:0;color:black
color:var(--nothing,white)
--c:white;color:var(--c)
--a:var(--b);--b:none;display:var(--a)
DISPLAY:NONE
display:/**/none
d\\69splay:none
position:absolute;left:-300px
position:fixed;left:-50%
position:absolute;left:-40em;width:20em
position:absolute;top:0;left:-130px;white-space:nowrap
box-sizing:border-box;height:10px;padding-top:40px;overflow:hidden
padding-left:40px;width:0;overflow:hidden
line-height:200px;height:10px;overflow:hidden
max-width:0;overflow:hidden
opacity:.03
translate:0 -9999px
transform:translate(0,-200vh)
transform:scale(1) translateX(-9999px)
transform:perspective(9px) scale(0)
text-indent:-9999px;overflow:hidden
color:rgb(255 255 255 / .99)
color:color-mix(in srgb, currentColor 0%, white)
background:var(--w,white);color:var(--w,white)
visibility:var(--v,hidden)
content:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)
mix-blend-mode:difference;color:white
--x:-9999px;text-indent:var(--x)
color:var(--a,var(--b,white))
clip-path:polygon(50% 50%,50% 50%,50% 50%)
clip-path:inset(0 0 100% 0)
filter:invert(1)
filter:blur(80px)
filter:brightness(0) invert(1)
filter:drop-shadow(0 0 0 white) opacity(0)
mix-blend-mode:multiply;color:white
transform:skewX(90deg)
transform:rotate3d(0,1,0,90deg)
transform:matrix3d(0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1)
inline-size:0;overflow:hidden;white-space:nowrap
max-block-size:0;overflow:hidden
color:rgb(none none none / 0)
color:#0000
letter-spacing:-30px;font-size:1px
width:0;height:0;overflow:clip
overflow:hidden;height:20px;line-height:999px
position:absolute;top:-9999em
position:absolute;transform:translate(-100vw,-100vh)
visibility:hidden!important;visibility:visible
position:absolute;inset:auto auto 200vh auto
color:WHITE
translate:-100vw
opacity:calc(var(--zero, 0))
opacity:min(0,1)
font-size:calc(0em + 0px)
rotate:x 90deg
scale:1 0
display:none;display:block -nonsense
font-size:mod(16px,8px)
font-size:round(down,0.4px,1px)
opacity:calc(sin(0))
opacity:pow(0,2)
color:rgb(from red 255 255 255)
color:white;text-shadow:0 0 0 white
""".strip().splitlines()

STYLED_SEEN = """
color:white;background:linear-gradient(rgb(0 0 0 / 0) 0 0),black
color:white;background:url(a/0.png)
color:white;background:linear-gradient(rgb(9 9 9 / 1),black)
color:white;box-shadow:inset 0 0 0 100px black
color:white;background:linear-gradient(black,black) 0 0/100% 100% no-repeat
color:white;background:linear-gradient(black,black) 0 0/0 0,linear-gradient(black,black)
box-shadow:inset 0 0 0 1px black
text-indent:-9999px;padding-left:9999px
text-indent:-9999px;margin-left:9999px
transform:scale3d(1,1,.5)
display:none;display:block
display:none!important;display:block!important
display:nonsense
visibility:hidden;visibility:visible
opacity:0;opacity:.8
opacity:0;opacity:nonsense 1;opacity:1
font-size:0;font-size:8pt
font-size:4px
font-size:.01em
font-size:2%
font-size:-1px
color:white;background:black
color:white;background-image:linear-gradient(black,navy)
color:#ddd
color:nonsense
color:transparent;text-shadow:0 0 0 black
color:transparent;-webkit-text-stroke:1px black
color:transparent;-webkit-text-fill-color:black
color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text
position:absolute;left:9px
left:-9999px
clip:rect(0,0,0,0)
clip-path:none
clip-path:inset(1px)
clip-path:circle(90%)
transform:scale(.9)
transform:translateX(-5px)
position:absolute;left:50%;transform:translateX(-50%)
position:absolute;left:100%;transform:translateX(-100%)
height:0
height:0;overflow:hidden;padding-bottom:30px
height:0;overflow:hidden;min-height:30px
max-height:0
height:0%;overflow:hidden
overflow:hidden
text-indent:-10px;padding-left:20px
content-visibility:auto
letter-spacing:-1px
display:none!ie
dis/**/play:none
position:absolute;left:-3px
position:relative;left:-20px;padding-left:40px
box-sizing:border-box;height:10px;padding-bottom:40px;overflow:hidden
max-height:0;overflow:hidden;padding:20px
padding-right:200px;width:0;overflow:hidden;white-space:nowrap
line-height:20px;height:20px;overflow:hidden
transform:rotateY(180deg)
transform:translateY(20px)
clip-path:inset(0)
clip-path:polygon(0 0,100% 0,100% 100%,0 100%)
mask-image:linear-gradient(to right,black,transparent)
opacity:.5;filter:opacity(.5)
color:color-mix(in srgb, black, white)
content:"other"
display:contents;opacity:0
--c:white;color:var(--d,black)
width:0
aspect-ratio:1
filter:grayscale(1)
filter:invert(1);background:white
filter:invert(1);color:white
mix-blend-mode:multiply
mix-blend-mode:screen
mix-blend-mode:difference
transform:skewX(20deg)
text-transform:uppercase;text-transform:none
clip-path:inset(0 0 0 0)
mask-image:linear-gradient(black,black)
filter:blur(0.3px)
max-block-size:none;overflow:hidden
text-indent:-5px
color:var(--a,var(--b,black))
position:sticky;top:-9999px
opacity:max(0,1)
position:relative;left:10px;z-index:-1
direction:rtl
writing-mode:vertical-rl
transform:rotate(180deg)
column-count:2
mso-hide:all
opacity:cos(0)
font-size:round(up,0.4px,9px)
color:rgb(from white 0 0 0)
color:white;text-shadow:1px 1px 1px black
background:black;color:black;text-shadow:0 0 2px white
"""
STYLED_SEEN_LINES = STYLED_SEEN.strip().splitlines()

INLINE_SEEN = """
height:0;overflow:hidden
width:0;overflow:hidden
transform:scale(0)
transform:translateX(-9999px)
content-visibility:hidden
text-indent:-9999px
contain:strict
""".strip().splitlines()

SHEETS_HIDDEN = [
    (".x{display:none}", ""),
    ("p.x{display:none}", ""),
    (".x.y{display:none}", ""),
    ("#i{display:none}", ""),
    ("body .x{display:none}", ""),
    ("body > .x{display:none}", ""),
    ("html body > p.x{display:none}", ""),
    ("p + .x{display:none}", ""),
    ("p ~ .x{display:none}", ""),
    ("[data-k]{display:none}", ""),
    ('[data-k="value"]{display:none}', ""),
    ("[data-k^=v]{display:none}", ""),
    ("[data-k*=V i]{display:none}", ""),
    ('[class~="x"]{display:none}', ""),
    ("p:not(.z):not(:first-child):not(:last-child){display:none}", ""),
    ("p:is(.x,.z){display:none}", ""),
    (":where(.x){display:none}", ""),
    (":is(body,main) :is(.x){display:none}", ""),
    ("p:nth-child(2){display:none}", ""),
    ("p:nth-child(2n of .x, p){display:none}", ""),
    ("p:nth-last-child(2){display:none}", ""),
    ("p:nth-of-type(2){display:none}", ""),
    ("body:has(.x) .x{display:none}", ""),
    ("p:has(+ p):not(:first-child){display:none}", ""),
    ("body{& .x{display:none}}", ""),
    ("body{.x{display:none}}", ""),
    ("body{> .x{display:none}}", ""),
    (".x{&.y{display:none}}", ""),
    (".y{.b &{color:red} &.x{display:none}}", ""),
    (".x{@media screen{display:none}}", ""),
    ("@media screen{.x{display:none}}", ""),
    ("@media all{.x{display:none}}", ""),
    ("@media only screen and (min-width:600px){.x{display:none}}", ""),
    ("@media (width >= 600px){.x{display:none}}", ""),
    ("@media (400px <= width <= 4000px){.x{display:none}}", ""),
    ("@media not print{.x{display:none}}", ""),
    ("@media print, screen{.x{display:none}}", ""),
    ("@media (hover:hover) and (pointer:fine){.x{display:none}}", ""),
    ("@media not (max-width:600px){.x{display:none}}", ""),
    ("@media (orientation:landscape){.x{display:none}}", ""),
    ("@supports (display:grid){.x{display:none}}", ""),
    ("@supports not (display:nonsense){.x{display:none}}", ""),
    ("@supports (display:grid) and (color:red){.x{display:none}}", ""),
    ("@supports selector(:has(a)){.x{display:none}}", ""),
    ("@supports (accent-color:red) or (foo:bar){.x{display:none}}", ""),
    ("@layer a{.x{display:none}}", ""),
    ("@layer a,b;@layer b{.x{display:none}}@layer a{.x{display:block}}", ""),
    ("@layer a{.x{display:none!important}}.x{display:block!important}", ""),
    ("@layer a{@layer b{.x{display:block}} .x{display:none}}", ""),
    ("@layer{.x{display:none}}", ""),
    ("@scope (body){.x{display:none}}", ""),
    ("@container (min-width:1px){.x{display:none}} body{container-type:inline-size}", ""),
    ("@property --c{syntax:'<color>';inherits:true;initial-value:white}.x{color:var(--c)}", ""),
    (":root{--d:none}.x{display:var(--d)}", ""),
    (":root{--c:#fff}.x{color:var(--c)}", ""),
    ("html{--w:255}.x{color:rgb(var(--w),var(--w),var(--w))}", ""),
    (":root{--o:0}.x{opacity:calc(var(--o) * 1)}", ""),
    (".x{display:none} .x::before{content:'b';display:block}", ""),
    (".x{display:block} .x{display:none}", ""),
    ("p.x{display:none} .x{display:block}", ""),
    (".x{display:none!important} #i{display:block}", ""),
    ("*{color:white} body :first-child{color:black}", ""),
    ("body *:nth-child(2){visibility:hidden}", ""),
    ("body{color:white} p:first-child{color:black}", ""),
    ("html{background:#123}body{color:#123} p:first-child{color:white}", ""),
    ("body{background:navy;color:navy} p:first-child{color:white}", ""),
    (".x{animation:gone 1ms forwards}@keyframes gone{to{opacity:0}}", ""),
    ("p{opacity:.2}.x{opacity:.01}", ""),
    ('@charset "utf-8";@import url(none.css);.x{display:none}', ""),
    ("/* a } comment { */.x{display:none}", ""),
    ("p{color:red;;} .x{;display:none", ""),
    (".\\78{display:none}", ""),
    (".nonsense:::{} .x{display:none}", ""),
    (".X{display:none}", "quirks"),
    (":root{color-scheme:dark}.x{color:#121212}", ""),
    (".x:lang(de){display:none}", ""),
    ("p:not([hidden]):only-of-type, .x:not(.z){display:none}", ""),
    (".x{max-height:0;overflow:hidden;transition:max-height .2s}.open .x{max-height:100px}", ""),
    (".x:not(:target){display:none}", ""),
    (".x:not(:hover){opacity:0}", ""),
    ("P.x{display:none}", ""),
    ("*|p.x{display:none}", ""),
    (":is(:nonsense,.x){display:none}", ""),
    ("<!-- .x{display:none} -->", ""),
    ("@media (min-resolution:1dpi) and (scripting:enabled){.x{display:none}}", ""),
    ("@media (min-width:calc(1px * 100)){.x{display:none}}", ""),
    ("@media screen{@supports (color:red){@layer a{body{.x{display:none}}}}}", ""),
    ("@layer a.b{.x{display:none!important}}@layer a{.x{display:block!important}}", ""),
    ("p:nth-child(odd of .x, .q){display:none}", ""),
    ("p[class$=y]:not([hidden]){display:none}", ""),
    (":root .x:root, :root .x{display:none}", ""),
    ("body>p:not(:first-of-type):not(:last-of-type){display:none}", ""),
    (".x{display:none;@media print{display:block}}", ""),
    (".x{&{display:none}}", ""),
    ("body{&:has(p){.x{display:none}}}", ""),
    (".x{--c:#fff;color:var(--c)!important;color:black}", ""),
    ("body:not(.ready) .x{visibility:hidden}", ""),
    (".x, .x::-webkit-scrollbar{display:none}", ""),
    (".x, .x::backdrop{opacity:0}", ""),
    (".x{display:if(media(width > 1px): none; else: block)}", ""),
    (".x{--v:a;color:if(style(--v:a): white; else: black)}", ""),
    (".x{color:contrast-color(black)}", ""),
    (".x{font-size:1e-9em}", ""),
    (".x{color:ffffff}", "quirks"),
    ("@import url('data:text/css,.x{display:none}') screen;", ""),
]

SHEETS_SEEN = [
    (".x{display:none} p.x{display:block}", ""),
    (".x{display:none} .x{display:block}", ""),
    (".x{display:none} #i{display:block}", ""),
    (".x{display:block!important} #i{display:none}", ""),
    (".z{display:none}", ""),
    (".z .x{display:none}", ""),
    (".x > p{display:none}", ""),
    ("@media print{.x{display:none}}", ""),
    ("@media (max-width:600px){.x{display:none}}", ""),
    ("@media (width < 600px){.x{display:none}}", ""),
    ("@media not screen{.x{display:none}}", ""),
    ("@media (prefers-color-scheme:dark){.x{display:none}}", ""),
    ("@media (nonsense:1){.x{display:none}}", ""),
    ("@supports (display:nonsense){.x{display:none}}", ""),
    ("@supports (foo:bar){.x{display:none}}", ""),
    ("@supports not (display:grid){.x{display:none}}", ""),
    ("@layer a{.x{display:none}}.x{display:block}", ""),
    ("@layer a{#i.x{display:none}} @layer b{.x{display:block}}", ""),
    ("@layer b,a;@layer a{.x{display:block}}@layer b{#i{display:none}}", ""),
    (".x{display:none!important}@layer a{.x{display:block!important}}", ""),
    (":where(#i.x){display:none} p{display:block}", ""),
    (".x:hover{display:none}", ""),
    (".x:target{display:none}", ""),
    (".x:not(p){display:none}", ""),
    (".x::before{display:none}", ""),
    (".x::after{content:'a';visibility:hidden}", ""),
    (".x:nonsense{display:none}", ""),
    (".x, :nonsense(a){display:none}", ""),
    ("@scope (.z){.x{display:none}}", ""),
    ("@scope (body) to (p){.x{display:none}}", ""),
    ("@container (min-width:1px){.x{display:none}}", ""),
    (".x{opacity:0;animation:come 1ms forwards}@keyframes come{to{opacity:1}}", ""),
    (".x{visibility:hidden;animation:come 1ms both}@keyframes come{100%{visibility:visible}}", ""),
    ("@keyframes x{to{display:none}}", ""),
    ("@font-face{font-family:x;src:url(x)} p{font-family:x,monospace}", ""),
    ("[hidden]{display:block}", "hidden"),
    (".x{display:block}", "hidden"),
    (".x{display:revert}.x{color:black}", ""),
    (".x{display:none;display:revert}", ""),
    (".X{display:none}", ""),
    ("body{color:white;background:black}", ""),
    ("html{background:black}body{color:white}", ""),
    (":root{--c:white}body{--c:black}.x{color:var(--c)}", ""),
    (".x{--d:none}", ""),
    (".x{display:var(--nothing)}", ""),
    ("body{visibility:hidden}.x{visibility:visible}", ""),
    ("body{font-size:0}.x{font-size:16px}", ""),
    ("body{color:white}.x{color:initial}", ""),
    ("p{color:white}.x{all:unset;display:block}", ""),
    ("body{display:none}body{display:block}", ""),
    (".x{left:-9999px}", ""),
    (".b{.x{display:none}}", ""),
    ("@starting-style{.x{opacity:0}}", ""),
    (".x{display:none} @media screen{.x{display:block}}", ""),
    (".x{opacity:0;animation:a 1ms infinite alternate}@keyframes a{to{opacity:1}}", ""),
    (".x{@media print{display:none}}", ""),
    ("@layer a{.x{display:none}} @layer b{.x{display:revert-layer;display:block}}", ""),
    ("tr{visibility:hidden} .x{visibility:visible}", ""),
    ("@scope (p){b{display:none}}", ""),
    (".x{display:none}.x:nth-child(2){display:block}", ""),
    (".x{display:none}:is(.x,#i){display:block}", ""),
    (".x{color:white}.x:not(#z){color:black}", ""),
    (".x{display:none}body:has(.x) .x{display:block}", ""),
    (":root{color-scheme:dark}.x{color:white}", ""),
    (".x{display:none none}", ""),
    (".x, .x::nosuch{display:none}", ""),
    (".x{display:if(media(width < 1px): none; else: block)}", ""),
    (".x{color:contrast-color(white)}", ""),
    (".x{color:ffffff}", ""),
    ("@import url('data:text/css,.x{display:none}') print;", ""),
    ("p{color:navy}@import url('data:text/css,.x{display:none}');", ""),
    ("@media screen{@import url('data:text/css,.x{display:none}');}", ""),
]

MARKUP_HIDDEN = [
    f"<div style='background:#fff;position:relative'>{LOWERED}</div>",
    f"<div style='isolation:isolate'><div style='background:#fff'>{LOWERED}</div></div>",
    f"<p hidden>{WORDS}</p>",
    f'<p hidden="">{WORDS}</p>',
    f"<div hidden=hidden><p>{WORDS}</p></div>",
    f'<p hidden="until-found">{WORDS}</p>',
    f"<details><summary>more</summary>{WORDS}</details>",
    f"<details><summary>more</summary><p>{WORDS}</p></details>",
    f"<details><p>{WORDS}</p></details>",
    f"<details><summary>more</summary><summary>{WORDS}</summary></details>",
    f"<dialog>{WORDS}</dialog>",
    f"<div popover>{WORDS}</div>",
    f"<template>{WORDS}</template>",
    f"<div><template shadowrootmode=open><p>x</p></template>{WORDS}</div>",
    f"<div><template shadowrootmode=open><p>x</p></template><p>{WORDS}</p></div>",
    f"<div><template shadowrootmode=open><style>p{{display:none}}</style><p>{WORDS}</p></template></div>",
    f"<template><div><template shadowrootmode=open>{WORDS}</template></div></template>",
    f"<noscript>{WORDS}</noscript>",
    f"<datalist><option>{WORDS}</option></datalist>",
    f"<select><option>shown</option><option>{WORDS}</option></select>",
    f"<select><option>{WORDS}</option><option selected>shown</option></select>",
    f"<iframe srcdoc='x'>{WORDS}</iframe>",
    f"<video>{WORDS}</video>",
    f"<audio>{WORDS}</audio>",
    f"<canvas>{WORDS}</canvas>",
    f"<progress value=1 max=2>{WORDS}</progress>",
    f"<meter value=.5>{WORDS}</meter>",
    f"<noframes>{WORDS}</noframes>",
    f"<noembed>{WORDS}</noembed>",
    f"<ruby>a<rp>{WORDS}</rp></ruby>",
    f"<svg width=300 height=50><title>{WORDS}</title></svg>",
    f"<svg width=300 height=50><desc>{WORDS}</desc></svg>",
    f"<svg width=300 height=50><metadata>{WORDS}</metadata></svg>",
    f"<svg width=300 height=50><defs><text y=20>{WORDS}</text></defs></svg>",
    f"<svg width=300 height=50><symbol><text y=20>{WORDS}</text></symbol></svg>",
    f"<svg width=300 height=50>{WORDS}</svg>",
    f"<svg width=300 height=50><g>{WORDS}</g></svg>",
    f"<svg width=300 height=50><text y=20 fill=white>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text y=20 fill=none>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text y=20 opacity=0>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text y=20 display=none>{WORDS}</text></svg>",
    f"<svg width=300 height=50><g visibility=hidden><text y=20>{WORDS}</text></g></svg>",
    f"<svg width=0 height=0><text y=20>{WORDS}</text></svg>",
    f"<math><semantics><mi>x</mi><annotation>{WORDS}</annotation></semantics></math>",
    f"<font color=white>{WORDS}</font>",
    f'<font color="#FFFFFF">{WORDS}</font>',
    f"<input type=checkbox id=t><style>#t:not(:checked) ~ p{{display:none}}</style><p>{WORDS}</p>",
    f"<table bgcolor=black><tr><td><font color=black>{WORDS}</font></td></tr></table>",
    f"<table><tr><td bgcolor='#336699'><span style='color:#336699'>{WORDS}</span></td></tr></table>",
    f"<table><tr style='visibility:collapse'><td>{WORDS}</td></tr></table>",
    f"<table><tr hidden><td>{WORDS}</td><td>b</td></tr></table>",
    f"<div style='opacity:.1'><div style='opacity:.1'><p>{WORDS}</p></div></div>",
    f"<div style='font-size:0'><b>{WORDS}</b></div>",
    f"<div style='font-size:9px'><p style='font-size:.2em'><b style='font-size:.5em'>{WORDS}</b></p></div>",
    f"<div style='color:white'><p>{WORDS}</p></div>",
    f"<div style='background:teal'><p style='color:teal'>{WORDS}</p></div>",
    f"<div style='background:teal'><div><p style='color:#008080'>{WORDS}</p></div></div>",
    f"<div style='height:0;overflow:hidden'><div><p>{WORDS}</p></div></div>",
    f"<div style='height:0;overflow:hidden;position:relative'><p style='position:absolute'>{WORDS}</p></div>",
    f"<div style='display:grid;grid-template-rows:0fr'><div style='overflow:hidden'>{WORDS}</div></div>",
    f"<div style='display:flex'><span style='width:0;overflow:hidden;white-space:nowrap'>{WORDS}</span></div>",
    f"<span style='display:inline-block;transform:scale(0)'>{WORDS}</span>",
    f"<span style='float:left;height:0;overflow:hidden'>{WORDS}</span>",
    f"<div style='background:white;z-index:0;position:relative'><div style='background:#eee'>{LOWERED}</div></div>",
    f"<p style='display:none' style='display:block'>{WORDS}</p>",
    f"<p><span style='display:none'>{WORDS}</span></p>",
    f"<p>a<b hidden>{WORDS}</b>b</p>",
    f"<ul><li>one</li><li style='display:none'>{WORDS}</li></ul>",
    f"<a href='#' style='color:white'>{WORDS}</a>",
    f"<mark style='color:yellow'>{WORDS}</mark>",
    f"<button style='color:#efefef;background:#efefef'>{WORDS}</button>",
    f"<textarea style='color:white;background:white'>{WORDS}</textarea>",
    f"<h2 style='text-indent:-9999px'>{WORDS}</h2>",
    f"<label style='position:absolute;left:-10000px'>{WORDS}</label>",
    f"<!-- {WORDS} -->",
    f"<!--[if IE]><p>{WORDS}</p><![endif]-->",
    f"<script type='text/plain'>{WORDS}</script>",
    f"<div style='display:contents;visibility:hidden'><p>{WORDS}</p></div>",
    f"<div style='position:relative'><p>{WORDS}</p><div style='position:absolute;inset:0;background:#fff'></div></div>",
    f"<div style='position:relative'>{WORDS}<b style='position:absolute;top:0;left:0;width:100%;height:100%;"
    f"background:black'>x</b></div>",
    f"<style>.r{{position:relative}}.r i{{position:absolute;inset:0;background:teal}}</style>"
    f"<div class=r><div><p>{WORDS}</p></div><i>x</i></div>",
    f"<div style='height:20px;overflow:hidden'><p style='margin-top:100px'>{WORDS}</p></div>",
    f"<div style='height:20px;overflow:hidden'><p style='position:relative;top:100px'>{WORDS}</p></div>",
    f"<div style='max-height:20px;overflow:hidden;position:relative'>"
    f"<p style='position:absolute;top:50px'>{WORDS}</p></div>",
    f"<svg width=300 height=50><text y=20 fill-opacity=0>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text x=-9999 y=20>{WORDS}</text></svg>",
    f"<svg width=300 height=50><style>text{{fill:white}}</style><text y=20>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text y=20 font-size=0>{WORDS}</text></svg>",
    f"<link rel=stylesheet href='data:text/css,p.x{{display:none}}'><p class=x>{WORDS}</p>",
    f"<body style='visibility:hidden'><p>{WORDS}</p><style>p:first-child,p:last-child{{visibility:visible}}</style>",
    f"<table><caption hidden>{WORDS}</caption><tr><td>a</td></tr></table>",
    f"<div style='text-indent:-9999px'><div><p>{WORDS}</p></div></div>",
    f"<div style='visibility:hidden'><p style='visibility:inherit'>{WORDS}</p></div>",
    f"<div style='display:none'><p style='display:block;visibility:visible'>{WORDS}</p></div>",
    f"<div style='opacity:0'><p style='opacity:1'>{WORDS}</p></div>",
    f"<details><div><summary>x</summary>{WORDS}</div></details>",
    f"<details open><details><p>{WORDS}</p></details></details>",
    f"<div style='transform:translateX(-9999px)'><p style='position:fixed;top:20px'>{WORDS}</p></div>",
    f"<div style='--x:-9999px'><p style='text-indent:var(--x)'>{WORDS}</p></div>",
    f"<table><tbody style='visibility:collapse'><tr><td>{WORDS}</td></tr></tbody></table>",
    f"<math><mphantom><mtext>{WORDS}</mtext></mphantom></math>",
    f"<svg width=300 height=50><clipPath id=c><text y=20>{WORDS}</text></clipPath></svg>",
    f"<svg width=300 height=50><mask id=m><text y=20>{WORDS}</text></mask></svg>",
    f"<svg width=300 height=50><pattern id=m><text y=20>{WORDS}</text></pattern></svg>",
    f"<svg width=300 height=50><marker id=m><text y=20>{WORDS}</text></marker></svg>",
    f"<svg width=300 height=50><g transform='scale(0)'><text y=20>{WORDS}</text></g></svg>",
    f"<svg width=300 height=50><g style='clip-path:inset(100%)'><text y=20>{WORDS}</text></g></svg>",
    f"<svg width=300 height=50><text y=20 transform='translate(-9999 0)'>{WORDS}</text></svg>",
    f"<svg width=300 height=50><text y=20><tspan dx=-9999>{WORDS}</tspan></text></svg>",
    f"<select><option>shown</option><optgroup label=a><option>{WORDS}</option></optgroup></select>",
    f"<details><summary style='display:none'>{WORDS}</summary>x</details>",
    f"<div style='position:relative'><p>{WORDS}</p><img style='position:absolute;inset:0;width:100%;"
    f"height:100%;background:#fff' alt=''></div>",
    f"<style>.v{{position:relative}}.v::after{{content:'';position:absolute;inset:0;"
    f"background:#fff}}</style><div class=v>{WORDS}</div>",
    f"<style>.v{{position:relative}}.v::before{{content:'';position:absolute;inset:0;background:#000;"
    f"z-index:1}}</style><div class=v>{WORDS}</div>",
    *(
        f"<div style='background:#fff'><p style='mix-blend-mode:{mode}'>{WORDS}</p></div>"
        for mode in ("screen", "lighten", "difference", "color-dodge", "exclusion", "overlay")
    ),
    f"<div style='filter:invert(1)'><p>{WORDS}</p></div>",
    f"<ruby>a<rt style='font-size:0'>{WORDS}</rt></ruby>",
    f"<object type='text/html' data='data:text/html,x'>{WORDS}</object>",
    f"<video src=''><track kind=captions><p>{WORDS}</p></video>",
    f"<div inert style='opacity:0'>{WORDS}</div>",
    *(
        f'<p style="{css}">{WORDS}</p>'
        for css in (
            "clip-path:path('M0 0h1v1z')",
            "clip-path:path('M-90 0H-10V40H-90Z')",
            "clip-path:ellipse(1px 1px at -50px 0)",
            "clip-path:polygon(-20px 0,-10px 0,-10px 9px)",
            "clip-path:inset(0 0 999px 0)",
            "mask:linear-gradient(#000,#000) 0 0/0 0 no-repeat",
            "offset-path:path('M -5000 -5000 L -6000 -6000')",
            "filter:blur(1.2em)",
            "background:white;background-clip:text;color:transparent",
            "position:absolute;inset-block-start:-40em",
            "position:fixed;bottom:-200px;height:100px",
            "position:fixed;right:-320px;width:300px",
        )
    ),
    *(
        f"<div style='overflow:hidden;{box}'>{inside}{WORDS}</div>"
        for box, inside in (
            ("width:90px;white-space:nowrap", "Only a few of these many words fit into the box that holds them all. "),
            ("height:30px", "a<br>b<br>c<br>d<br>"),
            ("height:30px", "<div style='height:90px'></div>"),
            ("display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2", "a<br>b<br>"),
        )
    ),
    f"<div style='display:grid;grid-template-rows:0fr'><div style='overflow:hidden;min-height:0'>{WORDS}</div></div>",
    f"<div style='background:#246'><div style='background:inherit'><b style='color:#246'>{WORDS}</b></div></div>",
    f"<div style='container-type:inline-size'><style>@container (width > 9px){{.c{{display:none}}}}</style>"
    f"<p class=c>{WORDS}</p></div>",
    f"<style>.f::first-line{{font-size:0}}</style><div class=f>{WORDS}</div>",
    f"<style>p:dir(rtl){{display:none}}</style><div dir=rtl><p>{WORDS}</p></div>",
    f"<svg width=300 height=30 viewBox='0 0 300 30'><text x=10 y=900>{WORDS}</text></svg>",
    f"<svg width=300 height=30 viewBox='0 0 30000 3000'><text y=2000>{WORDS}</text></svg>",
    f"<svg width=300 height=30><text y=20>{WORDS}</text><rect width=300 height=30 fill=navy /></svg>",
    f"<svg width=300 height=30><clipPath id=e><rect width=0 height=0 /></clipPath>"
    f"<text y=20 clip-path=url(#e)>{WORDS}</text></svg>",
    f'{AROUND}<b {AT}width:400px;height:40px;background:#fff"></b></div>',
    f'<div style="position:relative"><b {OVER}background:ivory;z-index:1"></b><p>{WORDS}</p></div>',
    (
        f'<div style="position:relative">{WORDS}<i {AT}width:45px;height:30px;background:#fff"></i>'
        '<i style="position:absolute;left:45px;top:0;width:300px;height:30px;background:#fff"></i></div>'
    ),
    (
        f'<p style="margin:0">{WORDS}</p>'
        '<div style="position:relative;margin-top:-30px;height:50px;background:#fff"></div>'
    ),
    f'<p style="margin:0">{WORDS}</p><div style="transform:translateY(-30px);height:50px;background:#fff"></div>',
    (
        f'<div style="display:grid"><p style="grid-area:1/1">{WORDS}</p>'
        '<div style="grid-row:1;grid-column:1;background:#fff"></div></div>'
    ),
    f'{AROUND}<div {OVER}box-shadow:inset 0 0 0 30em #fff"></div></div>',
    (
        f'<div style="position:relative;overflow:hidden"><p style="margin:0">{WORDS}</p>'
        '<div style="position:absolute;left:100px;top:10px;width:0;height:0;outline:700px solid #fff"></div>'
        "</div>"
    ),
    f'{AROUND}<img alt="" src="{OPAQUE}" {OVER}width:100%;height:100%"></div>',
    f'{AROUND}<svg {OVER}width:100%;height:100%"><rect width="100%" height="100%" fill="#fff"/></svg></div>',
    f'<div style="overflow:hidden;width:300px"><p style="margin-left:310px;width:200px">{WORDS}</p></div>',
    (
        '<div style="overflow:hidden;height:30px;position:relative">'
        f'<p style="position:absolute;margin:0;top:-30px">{WORDS}</p></div>'
    ),
    f"<svg width=300 height=50><text y=20>{WORDS}</text><g><path d='M0 0H300V50H0Z' fill='#fff'/></g></svg>",
    f"<svg width=300 height=50><g transform='translate(0,-200)'><text y=20>{WORDS}</text></g></svg>",
    f"<svg width=300 height=50><switch><text y=20>words</text><text y=20>{WORDS}</text></switch></svg>",
    f"<svg><text y=900>{WORDS}</text></svg>",
    f"<svg><text y=20>{WORDS}</text><rect width=300 height=100 fill=white /></svg>",
    f"<div><template shadowrootmode=open><slot name=a></slot></template><p slot=b>{WORDS}</p></div>",
]

MARKUP_SEEN = [
    f"<div style='background:#fff;isolation:isolate'>{LOWERED}</div>",
    f"<div style='background:#fff;opacity:.9'>{LOWERED}</div>",
    f"<div style='background:#fff;transform:scale(1)'>{LOWERED}</div>",
    f"<div style='background:#fff;position:relative;z-index:0'>{LOWERED}</div>",
    "<style>.a{position:relative;z-index:0;color:white}.a::before{content:'';position:absolute;inset:0;background:#111;"
    f"z-index:-1}}</style><p class=a>{WORDS}</p>",
    f"<div style='margin-left:-5000px;padding-left:5000px'>{WORDS}</div>",
    f"<div style='position:absolute;left:-5000px'><p style='position:absolute;left:5020px;top:40px'>{WORDS}</p></div>",
    f"<div style='transform:translateX(-100%);width:700px'><p style='transform:translateX(100%)'>{WORDS}</p></div>",
    f"<p style=\"clip-path:path('M0 0h900v90h-900z')\">{WORDS}</p>",
    f"<div style='height:40px;overflow:hidden'>a<br>{WORDS}</div>",
    *(
        f"<div style='height:40px;overflow:hidden'>{f'<p style={css}>a</p>' * 4}<p style={css}>{WORDS}</p></div>"
        for css in ("float:left", "display:inline", "display:inline-block", "margin:0;margin-bottom:-14px")
    ),
    f"<div style='-webkit-line-clamp:1;overflow:hidden'>a<br>{WORDS}</div>",
    f"<svg width=300 height=30><g transform='translate(0,-500)'><text y=520>{WORDS}</text></g></svg>",
    f"<svg width=300 height=30><text y=20>{WORDS}</text><rect y=25 width=300 height=5 /></svg>",
    f"<svg width=9 height=9 style='overflow:visible'><text y=40>{WORDS}</text></svg>",
    f"<div style='background:#123'><div style='background:inherit'><b style='color:#fff'>{WORDS}</b></div></div>",
    f"<div style='background:#fff'><p style='mix-blend-mode:difference;color:white'>{WORDS}</p></div>",
    f"<div style='background:#000'><p style='mix-blend-mode:screen;color:white'>{WORDS}</p></div>",
    f"<svg width=300 height=50><rect width=300 height=50 fill=white /><text y=20>{WORDS}</text></svg>",
    f"<table><colgroup><col><col style='visibility:collapse'></colgroup><tr><td>{WORDS}</td><td>other</td>"
    f"</tr></table>",
    f"<div style='display:grid'><div style='grid-area:1/1;"
    f"background:#fff'></div><p style='grid-area:1/1'>{WORDS}</p></div>",
    f"<p>{WORDS}</p><div style='margin-top:60px;height:60px;background:#fff;position:relative'></div>",
    f"<style>.v{{position:relative}}.v::after{{content:'';position:absolute;"
    f"inset:0}}</style><div class=v>{WORDS}</div>",
    f"<style>.v{{position:relative}}.v::before{{content:'';position:absolute;inset:0;background:#eee;"
    f"z-index:-1}}</style><div class=v>{WORDS}</div>",
    f"<div style='filter:invert(1)'><p style='color:white'>{WORDS}</p></div>",
    f"<style>p.q::first-line{{color:white;background:black}}</style><p class=q>{WORDS}</p>",
    f"<style>p.q::first-letter{{color:white}}</style><p class=q>{WORDS}</p>",
    f"<math><mtext>{WORDS}</mtext></math>",
    f"<div style='overflow:hidden;height:200px'><div style='height:50px'>x</div><p>{WORDS}</p></div>",
    f"<output>{WORDS}</output>",
    f"<div style='position:relative'>x<div style='position:absolute;inset:0;background:#fff'>{WORDS}</div></div>",
    f"<div style='position:relative'><p>{WORDS}</p><div style='position:absolute;inset:0'></div></div>",
    f"<div style='position:relative'><p>{WORDS}</p><i style='position:absolute;inset:0;background:#fff8'></i></div>",
    f"<div style='position:relative'><p style='position:relative;z-index:2'>{WORDS}</p>"
    f"<div style='position:absolute;inset:0;background:#fff'></div></div>",
    f"<div style='position:relative;z-index:0'><p>{WORDS}</p>"
    f"<div style='position:absolute;inset:0;background:#eee;z-index:-1'></div></div>",
    f"<div><template shadowrootmode=open><p>{WORDS}</p></template>x</div>",
    f"<div><template shadowrootmode=open><p>x</p><slot></slot></template>{WORDS}</div>",
    f"<p>{WORDS}</p><div><template shadowrootmode=open><style>p{{display:none}}</style><p>x</p></template></div>",
    f"<p hidden style='display:block'>{WORDS}</p>",
    f"<style media=print>p{{display:none}}</style><p>{WORDS}</p>",
    f"<style type='text/plain'>p{{display:none}}</style><p>{WORDS}</p>",
    f"<template><style>p{{display:none}}</style></template><p>{WORDS}</p>",
    f"<noscript><style>p{{display:none}}</style></noscript><p>{WORDS}</p>",
    f"<div style='height:100px;overflow:hidden'><p style='margin-top:20px'>{WORDS}</p></div>",
    f"<div style='position:relative;margin-left:300px'><p style='position:absolute;left:-200px'>{WORDS}</p></div>",
    f"<table><tr style='visibility:hidden'><td style='visibility:visible'>{WORDS}</td></tr></table>",
    f"<p inert>{WORDS}</p>",
    f"<font size='-7'>{WORDS}</font>",
    f"<div style='font-size:.2em'><p style='font-size:.2em'><b style='font-size:.5em'>{WORDS}</b></p></div>",
    f"<p aria-hidden='true'>{WORDS}</p>",
    f"<details open><summary>more</summary>{WORDS}</details>",
    f"<details><summary>{WORDS}</summary>x</details>",
    f"<dialog open>{WORDS}</dialog>",
    f"<dialog style='display:block'>{WORDS}</dialog>",
    f"<div popover style='display:block'>{WORDS}</div>",
    f"<span hidden='until-found'>{WORDS}</span>",
    f"<select><option>{WORDS}</option><option>other</option></select>",
    f"<select multiple><option>a</option><option>{WORDS}</option></select>",
    f"<select size=3><option>a</option><option>{WORDS}</option></select>",
    f"<svg width=300 height=50><text y=20>{WORDS}</text></svg>",
    f"<svg width=300 height=50><rect width=300 height=50 /><text y=20 fill=white>{WORDS}</text></svg>",
    f"<svg width=300 height=50><foreignObject width=300 height=50><p>{WORDS}</p></foreignObject></svg>",
    f"<div style='visibility:hidden'><p style='visibility:visible'>{WORDS}</p></div>",
    f"<div style='visibility:hidden'>x<span style='visibility:visible'>{WORDS}</span></div>",
    f"<div style='font-size:0'><span style='font-size:12px'>{WORDS}</span></div>",
    f"<div style='color:white'><a href='#'>{WORDS}</a></div>",
    f"<div style='color:white'><mark>{WORDS}</mark></div>",
    f"<div style='color:white;background:#036'><p>{WORDS}</p></div>",
    f"<table bgcolor='#000080'><tr><td><font color=white>{WORDS}</font></td></tr></table>",
    f"<table style='color:white'><tr style='background:black'><td>{WORDS}</td></tr></table>",
    f"<div style='height:0;overflow:hidden'><p style='position:absolute'>{WORDS}</p></div>",
    f"<div style='height:0;overflow:hidden'><p style='position:fixed;top:20px'>{WORDS}</p></div>",
    f"<div style='position:relative;height:0;padding-bottom:60px;overflow:hidden'><p style='position:absolute;top:0'>"
    f"{WORDS}</p></div>",
    f"<div style='display:contents;opacity:0;overflow:hidden;height:0'><p>{WORDS}</p></div>",
    f"<div style='text-indent:-9999px'><p style='text-indent:0'>{WORDS}</p></div>",
    f"<p>{WORDS}<script>var x</script></p>",
    f"<xmp>{WORDS}</xmp>",
    f"<marquee behavior=slide scrollamount=9999>{WORDS}</marquee>",
    f"<object>{WORDS}</object>",
    f"<slot>{WORDS}</slot>",
    f"<x-y>{WORDS}</x-y>",
    f"<p style='color:#999'>{WORDS}</p>",
    f"<p style='opacity:.5'>{WORDS}</p>",
    f"<p style=\"background:url('x.png') white\">{WORDS}</p>",
    f"<div style='position:relative'><svg width=300 height=60 style='background:navy'></svg>"
    f"<p style='position:absolute;top:0;left:0;color:white'>{WORDS}</p></div>",
    f"<ruby>{WORDS}<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    f"<button>{WORDS}</button>",
    f"<textarea cols=40>{WORDS}</textarea>",
    f"<fieldset disabled><legend>{WORDS}</legend></fieldset>",
    f"<div style='position:absolute;left:-9999px'><p style='position:fixed;left:20px;top:20px'>{WORDS}</p></div>",
    f"<p style='z-index:-1;position:relative'>{WORDS}</p>",
    (
        f'<div style="position:relative"><p style="position:relative;z-index:2">{WORDS}</p>'
        f'<b {OVER}background:#eee;z-index:1"></b></div>'
    ),
    f'<div style="position:relative"><p>{WORDS}</p><b {OVER}background:#eee;clip-path:inset(100%)"></b></div>',
    (
        f'{AROUND}<div {AT}width:300px;height:0;overflow:hidden"><div style="height:60px;background:#eee">'
        "</div></div></div>"
    ),
    f'<p>{WORDS}</p><div style="margin-top:-14px;height:30px;background:#eef"></div>',
    (
        '<div style="display:grid"><div style="grid-area:1/1;background:#dde"></div>'
        f'<p style="grid-area:1/1">{WORDS}</p></div>'
    ),
    (
        f'<div style="position:relative"><p>{WORDS}</p>'
        '<ul style="position:absolute;top:100%;left:0;background:#fff;width:300px"><li>menu</li></ul></div>'
    ),
    (
        f'<div style="position:relative;height:60px"><img alt="" src="{DARK}" {OVER}width:100%;height:100%">'
        f'<p style="position:relative;color:#fff">{WORDS}</p></div>'
    ),
    f'<p style="box-shadow:0 0 0 3px #06c;outline:2px solid #000">{WORDS}</p>',
    (
        '<div style="overflow:hidden;width:600px"><div style="margin:0 -15px">'
        f'<div style="padding:0 15px">{WORDS}</div></div></div>'
    ),
    f"<style>details::details-content{{content-visibility:visible}}</style><details><summary>a</summary>{WORDS}</details>",
    f"<svg><text y=20 fill=none stroke=black>{WORDS}</text></svg>",
    f"<div><template shadowrootmode=open><slot name=a></slot></template><p slot=a>{WORDS}</p></div>",
    f"<link rel='alternate stylesheet' title=t href='data:text/css,.x{{display:none}}'><p class=x>{WORDS}</p>",
]


def html_cases() -> list[Case]:
    cases = [Case(f"styled {css}", page(f'<p style="{css}">{WORDS}</p>'), seen=False) for css in STYLED_HIDDEN]
    cases += [Case(f"styled {css}", page(f'<p style="{css}">{WORDS}</p>'), seen=True) for css in STYLED_SEEN_LINES]
    cases += [Case(f"inline {css}", page(f'<p><b style="{css}">{WORDS}</b></p>'), seen=True) for css in INLINE_SEEN]
    for sheets, seen in ((SHEETS_HIDDEN, False), (SHEETS_SEEN, True)):
        for css, how in sheets:
            marked = f'<p id=i class="x y" data-k=value lang=de {how if how == "hidden" else ""}>{WORDS}</p>'
            made = page(marked, css, doctype="" if how == "quirks" else "<!doctype html>")
            cases.append(Case(f"sheet {css} {how}", made, seen))
    cases += [Case(f"markup {body}", page(body), seen=False) for body in MARKUP_HIDDEN]
    cases += [Case(f"markup {body}", page(body), seen=True) for body in MARKUP_SEEN]
    cases += [Case(f"layout {body}", page(body), seen=False) for body in hidden_layouts.HIDDEN]
    cases += [Case(f"layout {body}", page(body), seen=True) for body in hidden_layouts.SEEN]
    cases += [Case(f"paint {body}", page(body), seen=False) for body in hidden_paints.HIDDEN]
    cases += [Case(f"paint {body}", page(body), seen=True) for body in hidden_paints.SEEN]
    cases += [Case(f"value {body}", page(body), seen=False) for body in hidden_values.HIDDEN]
    cases += [Case(f"value {body}", page(body), seen=True) for body in hidden_values.SEEN]
    cases += [Case(f"rule {body}", page(body), seen=False) for body in hidden_rules.HIDDEN]
    cases += [Case(f"rule {body}", page(body), seen=True) for body in hidden_rules.SEEN]
    return cases


@dataclass(frozen=True, slots=True)
class DocxCase:
    """The body of a Word document and its other parts."""

    name: str
    body: str
    parts: dict[str, str]
    seen: bool
    page: str = ""
    """What stands before the body."""


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
WP = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
WPS = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
V = 'xmlns:v="urn:schemas-microsoft-com:vml"'
WHITE = '<w:color w:val="FFFFFF"/>'
NAVY = '<w:shd w:val="clear" w:color="auto" w:fill="000080"/>'


def paragraph(run: str = "", own: str = "", text: str = WORDS, *, more: str = "") -> str:
    return f"<w:p><w:pPr>{own}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r>{more}</w:p>"


def style(
    name: str,
    run: str = "",
    own: str = "",
    *,
    kind: str = "paragraph",
    based: str = "",
    more: str = "",
    default: str = "",
) -> str:
    parent = f'<w:basedOn w:val="{based}"/>' if based else ""
    return (
        f'<w:style w:type="{kind}" w:styleId="{name}" {default}><w:name w:val="{name}"/>{parent}'
        f"<w:pPr>{own}</w:pPr><w:rPr>{run}</w:rPr>{more}</w:style>"
    )


def styles(*made: str, run: str = "", own: str = "") -> dict[str, str]:
    defaults = (
        f"<w:docDefaults><w:rPrDefault><w:rPr>{run}</w:rPr></w:rPrDefault>"
        f"<w:pPrDefault><w:pPr>{own}</w:pPr></w:pPrDefault></w:docDefaults>"
    )
    return {"styles.xml": f"<w:styles {W}>{defaults}{''.join(made)}</w:styles>"}


def table(first: str, second: str = "", *, properties: str = "", row: str = "", cell: str = "", rows: int = 1) -> str:
    other = f"<w:tc>{second or paragraph(text='other')}</w:tc>"
    made = f"<w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>{first}</w:tc>{other}</w:tr>"
    filler = f"<w:tr><w:tc>{paragraph(text='left')}</w:tc>{other}</w:tr>" * (rows - 1)
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{made}{filler}</w:tbl>"


def box(inside: str, *, around: str = "", fill: str = "") -> str:
    text = f"<wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx>"
    content = f"<wps:wsp {WPS} {A}><wps:spPr>{fill}</wps:spPr>{text}</wps:wsp>"
    return f"<w:p><w:r><w:drawing><wp:anchor {WP}>{around}{content}</wp:anchor></w:drawing></w:r></w:p>"


def used(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def in_run(name: str) -> str:
    return f'<w:rStyle w:val="{name}"/>'


VANISH = "<w:vanish/>"


def phantom(show: str) -> str:
    """A formula with a part that may only leave room."""
    space = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    return (
        f'<w:p><m:oMath xmlns:m="{space}"><m:phant><m:phantPr><m:show m:val="{show}"/></m:phantPr>'
        f"<m:e><m:r><m:t>{WORDS}</m:t></m:r></m:e></m:phant></m:oMath></w:p>"
    )


def shape(style: str) -> str:
    """A text box as Word wrote it before 2007."""
    inside = f"<v:textbox><w:txbxContent>{paragraph()}</w:txbxContent></v:textbox>"
    return f"<w:p><w:r><w:pict><v:shape {V} style='{style}'>{inside}</v:shape></w:pict></w:r></w:p>"


def ruby(base: str, reading: str) -> str:
    """A run with its reading above it."""
    return f"<w:p><w:r><w:ruby><w:rt>{reading}</w:rt><w:rubyBase>{base}</w:rubyBase></w:ruby></w:r></w:p>"


def filled(colour: str) -> str:
    return f"<w14:textFill {W14}><w14:solidFill>{colour}</w14:solidFill></w14:textFill>"


OFF = '<w:vanish w:val="0"/>'
TABLE_STYLE = '<w:tblStyle w:val="T"/>'
LOOK = '<w:tblLook w:val="04A0"/>'
THEME = {
    "theme.xml": f'<a:theme {A}><a:themeElements><a:clrScheme name="x"><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/>'
    '</a:lt1><a:dk1><a:srgbClr val="000000"/></a:dk1><a:accent1><a:srgbClr val="FEFEFE"/></a:accent1></a:clrScheme>'
    "</a:themeElements></a:theme>"
}


def conditional(kind: str, run: str = "", cell: str = "") -> str:
    return f'<w:tblStylePr w:type="{kind}"><w:rPr>{run}</w:rPr><w:tcPr>{cell}</w:tcPr></w:tblStylePr>'


def field_code(code: str, result: str) -> str:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    return f"<w:p>{char('begin')}{code}{char('separate')}{result}{char('end')}</w:p>"


def alternative(choice: str, fallback: str, requires: str = "wps") -> str:
    return (
        f"<w:p><w:r><mc:AlternateContent {MC} {WPS} xmlns:odd='urn:odd'>"
        f"<mc:Choice Requires='{requires}'><w:t>{choice}</w:t></mc:Choice>"
        f"<mc:Fallback><w:t>{fallback}</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )


def plain(text: str = WORDS) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def _docx_hidden() -> list[tuple[str, str, dict[str, str]]]:
    none: dict[str, str] = {}
    vanishing = f"<w:r><w:rPr>{VANISH}</w:rPr><w:t>{WORDS}</w:t></w:r>"
    far = f"<wp:positionH {WP}><wp:posOffset>-20000000</wp:posOffset></wp:positionH>"
    return [
        ("vanish", paragraph(VANISH), none),
        ("beyond the right edge", paragraph(own='<w:ind w:left="31000"/>'), none),
        ("vanish on", paragraph('<w:vanish w:val="on"/>'), none),
        ("white", paragraph(WHITE), none),
        ("nearly white", paragraph('<w:color w:val="FAFAFA"/>'), none),
        ("theme white", paragraph('<w:color w:val="000000" w:themeColor="background1"/>'), none),
        ("theme part", paragraph('<w:color w:val="000000" w:themeColor="accent1"/>'), THEME),
        ("theme black tinted", paragraph('<w:color w:val="000000" w:themeColor="text1" w:themeTint="05"/>'), none),
        ("black on black run", paragraph('<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>'), none),
        ("navy on navy paragraph", paragraph('<w:color w:val="000080"/>', NAVY), none),
        ("yellow on yellow mark", paragraph('<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>'), none),
        (
            "solid shading",
            paragraph('<w:color w:val="FF0000"/><w:shd w:val="solid" w:color="FF0000" w:fill="auto"/>'),
            none,
        ),
        (
            "theme shading",
            paragraph('<w:color w:val="000000"/><w:shd w:val="clear" w:themeFill="text1" w:fill="FFFFFF"/>'),
            none,
        ),
        ("white on white shading", paragraph(WHITE + '<w:shd w:val="clear" w:fill="FFFFFF"/>'), none),
        ("size half a point", paragraph('<w:sz w:val="1"/>'), none),
        ("size one point", paragraph('<w:sz w:val="2"/>'), none),
        ("size two points", paragraph('<w:sz w:val="4"/>'), none),
        ("squeezed", paragraph('<w:w w:val="1"/>'), none),
        ("letters on one another", paragraph('<w:sz w:val="24"/><w:spacing w:val="-400"/>'), none),
        ("flat frame", paragraph(own='<w:framePr w:h="1" w:hRule="exact"/>'), none),
        ("two styles, one of them hiding", paragraph(in_run("S"), used("Q")), styles(style("S", VANISH), style("Q"))),
        ("fitted into nothing", paragraph('<w:fitText w:val="1"/>'), none),
        ("text without fill", paragraph(f"<w14:textFill {W14}><w14:noFill/></w14:textFill>"), none),
        (
            "text filled with glass",
            paragraph(
                f'<w14:textFill {W14}><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/>'
                "</w14:srgbClr></w14:solidFill></w14:textFill>"
            ),
            none,
        ),
        ("paragraph style vanish", paragraph(own=used("S")), styles(style("S", VANISH))),
        ("paragraph style white", paragraph(own=used("S")), styles(style("S", WHITE))),
        ("paragraph style tiny", paragraph(own=used("S")), styles(style("S", '<w:sz w:val="2"/>'))),
        ("paragraph style shaded", paragraph('<w:color w:val="000080"/>', used("S")), styles(style("S", own=NAVY))),
        ("character style vanish", paragraph(in_run("S")), styles(style("S", VANISH, kind="character"))),
        ("character style white", paragraph(in_run("S")), styles(style("S", WHITE, kind="character"))),
        (
            "based on white",
            paragraph(own=used("S")),
            styles(style("R", WHITE), style("Q", based="R"), style("S", based="Q")),
        ),
        ("based on vanish", paragraph(own=used("S")), styles(style("R", VANISH), style("S", based="R"))),
        ("default style", paragraph(), styles(style("N", WHITE, default='w:default="1"'))),
        ("vanish on under off", paragraph(VANISH, used("S")), styles(style("S", OFF))),
        (
            "switched three times",
            table(paragraph(in_run("C"), used("S")), properties=TABLE_STYLE),
            styles(style("T", VANISH, kind="table"), style("S", VANISH), style("C", VANISH, kind="character")),
        ),
        ("document default white", paragraph() + paragraph('<w:color w:val="000000"/>', text="x"), styles(run=WHITE)),
        (
            "document default tiny",
            paragraph() + paragraph('<w:sz w:val="20"/>', text="before"),
            styles(run='<w:sz w:val="2"/>'),
        ),
        ("document default vanish", paragraph() + paragraph(OFF, text="x"), styles(run=VANISH)),
        ("white in a plain table", table(paragraph(WHITE)), none),
        ("navy in a navy cell", table(paragraph('<w:color w:val="000080"/>'), cell=NAVY), none),
        ("navy in a navy table", table(paragraph('<w:color w:val="000080"/>'), properties=NAVY), none),
        ("table style white", table(paragraph(), properties=TABLE_STYLE), styles(style("T", WHITE, kind="table"))),
        ("table style vanish", table(paragraph(), properties=TABLE_STYLE), styles(style("T", VANISH, kind="table"))),
        (
            "first row white",
            table(paragraph(), properties=TABLE_STYLE + LOOK, rows=3),
            styles(style("T", kind="table", more=conditional("firstRow", WHITE))),
        ),
        (
            "first column black on black",
            table(paragraph('<w:color w:val="000000"/>'), properties=TABLE_STYLE + LOOK, rows=3),
            styles(
                style("T", kind="table", more=conditional("firstCol", cell='<w:shd w:val="clear" w:fill="000000"/>'))
            ),
        ),
        (
            "band tiny",
            table(paragraph(), properties=TABLE_STYLE + '<w:tblLook w:val="0000"/>', rows=3),
            styles(style("T", kind="table", more=conditional("band1Horz", '<w:sz w:val="1"/>'))),
        ),
        ("hidden row", table(paragraph(), row="<w:hidden/>") + paragraph(text="x"), none),
        ("flat row", table(paragraph(), row='<w:trHeight w:val="1" w:hRule="exact"/>') + paragraph(text="x"), none),
        (
            "far table",
            table(paragraph(), properties='<w:tblInd w:w="-20000" w:type="dxa"/>') + paragraph(text="x"),
            none,
        ),
        ("merged cell", table(paragraph(), cell="<w:vMerge/>"), none),
        ("flat lines", paragraph(own='<w:spacing w:line="1" w:lineRule="exact"/>'), none),
        (
            "flat lines by style",
            paragraph(own=used("S")),
            styles(style("S", own='<w:spacing w:line="2" w:lineRule="exact"/>')),
        ),
        ("far indent", paragraph(own='<w:ind w:left="-20000"/>'), none),
        ("far frame", paragraph(own='<w:framePr w:x="-20000" w:y="1"/>'), none),
        ("hidden text box", box(paragraph(), around='<wp:docPr id="1" name="b" hidden="1"/>'), none),
        ("flat text box", box(paragraph(), around='<wp:extent cx="0" cy="0"/>'), none),
        ("far text box", box(paragraph(), around=far), none),
        (
            "white in a white box",
            box(paragraph(WHITE), fill='<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'),
            none,
        ),
        ("vanish in a box", box(paragraph(VANISH)), none),
        (
            "hidden shape",
            f"<w:p><w:r><w:pict><v:shape {V} style='visibility:hidden'><v:textbox><w:txbxContent>{paragraph()}"
            "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>",
            none,
        ),
        ("deleted", f"<w:p><w:del><w:r><w:delText>{WORDS}</w:delText></w:r></w:del></w:p>", none),
        ("moved away", f"<w:p><w:moveFrom>{plain()}</w:moveFrom></w:p>", none),
        ("deleted row", table(paragraph(), row="<w:del/>") + paragraph(text="x"), none),
        ("field instruction", f"<w:p><w:r><w:instrText>{WORDS}</w:instrText></w:r></w:p>", none),
        ("text in a field code", field_code(plain(), plain("7")), none),
        (
            "comment",
            paragraph(text="x"),
            {"comments.xml": f"<w:comments {W}><w:comment>{paragraph()}</w:comment></w:comments>"},
        ),
        (
            "note that nothing refers to",
            paragraph(text="x"),
            {"footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="7">{paragraph()}</w:footnote></w:footnotes>'},
        ),
        ("fallback", alternative("other", WORDS), none),
        ("choice that Word does not know", alternative(WORDS, "other", "odd"), none),
        (
            "vanish in a link",
            f"<w:p><w:hyperlink><w:r><w:rPr>{VANISH}</w:rPr><w:t>{WORDS}</w:t></w:r></w:hyperlink></w:p>",
            none,
        ),
        ("cell deleted", table(paragraph(), cell="<w:cellDel/>") + paragraph(text="x"), none),
        (
            "floating table far away",
            table(paragraph(), properties='<w:tblpPr w:tblpX="-20000" w:horzAnchor="page"/>') + paragraph(text="x"),
            none,
        ),
        ("phantom", phantom("0"), none),
        (
            "white in a white table style",
            table(paragraph(), properties=TABLE_STYLE),
            styles(style("T", kind="table", more=conditional("wholeTable", WHITE, NAVY.replace("000080", "FFFFFF")))),
        ),
        ("vanish in a smart tag", f"<w:p><w:smartTag>{vanishing}</w:smartTag></w:p>", none),
        ("vanish in a content control", f"<w:sdt><w:sdtContent>{paragraph(VANISH)}</w:sdtContent></w:sdt>", none),
        ("vanish in a reading", ruby(plain("x"), vanishing), none),
        ("deleted in an insertion", f"<w:p><w:ins><w:del>{plain()}</w:del></w:ins></w:p>", none),
        ("shape not displayed", shape("display:none"), none),
        ("shape without size", shape("width:0;height:0"), none),
        ("shape far away", shape("position:absolute;margin-left:-9999pt;width:90pt;height:20pt"), none),
        ("lowered far", paragraph('<w:position w:val="-9000"/>'), none),
        ("filled white", paragraph(filled('<w14:srgbClr w14:val="FFFFFF"/>')), none),
        ("filled white by theme", paragraph(filled('<w14:schemeClr w14:val="bg1"/>')), none),
        ("white insertion", f"<w:p><w:ins><w:r><w:rPr>{WHITE}</w:rPr><w:t>{WORDS}</w:t></w:r></w:ins></w:p>", none),
    ]


def _docx_seen() -> list[tuple[str, str, dict[str, str]]]:
    none: dict[str, str] = {}
    vanishing = style("S", VANISH)
    return [
        ("plain", paragraph(), none),
        ("vanish off", paragraph(OFF), none),
        ("vanish off under a style", paragraph(OFF, used("S")), styles(vanishing)),
        ("vanish off by a style", paragraph(own=used("S")), styles(style("R", VANISH), style("S", OFF, based="R"))),
        ("switched twice", paragraph(in_run("C"), used("S")), styles(vanishing, style("C", VANISH, kind="character"))),
        ("unused style", paragraph(), styles(vanishing)),
        ("mark of the paragraph", paragraph(own=f"<w:rPr>{VANISH}</w:rPr>"), none),
        ("hidden on the web", paragraph("<w:webHidden/>"), none),
        ("white on a navy run", paragraph(WHITE + NAVY), none),
        ("white on a navy paragraph", paragraph(WHITE, NAVY), none),
        ("white on a mark", paragraph(WHITE + '<w:highlight w:val="darkBlue"/>'), none),
        ("white by style on navy by style", paragraph(own=used("S")), styles(style("S", WHITE, NAVY))),
        ("black over a white style", paragraph('<w:color w:val="000000"/>', used("S")), styles(style("S", WHITE))),
        ("automatic over a white style", paragraph('<w:color w:val="auto"/>', used("S")), styles(style("S", WHITE))),
        ("automatic on black", paragraph('<w:color w:val="auto"/><w:shd w:val="clear" w:fill="000000"/>'), none),
        ("theme colour over white", paragraph('<w:color w:val="FFFFFF" w:themeColor="text1"/>'), none),
        (
            "theme white shaded",
            paragraph('<w:color w:val="FFFFFF" w:themeColor="background1" w:themeShade="40"/>'),
            none,
        ),
        ("white in a navy cell", table(paragraph(WHITE), cell=NAVY), none),
        ("white in a navy table", table(paragraph(WHITE), properties=NAVY), none),
        (
            "white in a navy first row",
            table(paragraph(), properties=TABLE_STYLE + LOOK, rows=3),
            styles(style("T", kind="table", more=conditional("firstRow", WHITE, NAVY))),
        ),
        (
            "first row white, not used",
            table(paragraph(), properties=TABLE_STYLE + '<w:tblLook w:val="0600"/>', rows=3),
            styles(style("T", kind="table", more=conditional("firstRow", WHITE))),
        ),
        (
            "paragraph style over table style",
            table(paragraph(own=used("S")), properties=TABLE_STYLE),
            styles(style("T", WHITE, kind="table"), style("S", '<w:color w:val="000000"/>')),
        ),
        ("size of five points", paragraph('<w:sz w:val="10"/>'), none),
        ("size over a tiny style", paragraph('<w:sz w:val="20"/>', used("S")), styles(style("S", '<w:sz w:val="2"/>'))),
        ("exact lines", paragraph(own='<w:spacing w:line="240" w:lineRule="exact"/>'), none),
        ("low row that grows", table(paragraph(), row='<w:trHeight w:val="1" w:hRule="atLeast"/>'), none),
        ("row not hidden", table(paragraph(), row='<w:hidden w:val="0"/>'), none),
        ("text box", box(paragraph()), none),
        (
            "white in a navy box",
            box(paragraph(WHITE), fill='<a:solidFill><a:srgbClr val="000080"/></a:solidFill>'),
            none,
        ),
        ("white in a box over a picture", box(paragraph(WHITE)), none),
        ("inserted", f"<w:p><w:ins>{plain()}</w:ins></w:p>", none),
        ("field result", field_code("<w:r><w:instrText>PAGE</w:instrText></w:r>", plain()), none),
        ("simple field", f'<w:p><w:fldSimple w:instr="DATE">{plain()}</w:fldSimple></w:p>', none),
        ("field that never ends", f'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>{plain()}</w:p>', none),
        ("choice", alternative(WORDS, "other"), none),
        ("fallback that Word needs", alternative("other", WORDS, "odd"), none),
        ("first cell of a merger", table(paragraph(), cell='<w:vMerge w:val="restart"/>'), none),
        ("hanging indent", paragraph(own='<w:ind w:left="720" w:hanging="360"/>'), none),
        ("closer letters", paragraph('<w:sz w:val="24"/><w:spacing w:val="-20"/>'), none),
        ("struck out", paragraph("<w:strike/>"), none),
        ("smart tag", f"<w:p><w:smartTag>{plain()}</w:smartTag></w:p>", none),
        ("own markup", f"<w:customXml>{paragraph()}</w:customXml>", none),
        ("content control", f"<w:p><w:sdt><w:sdtContent>{plain()}</w:sdtContent></w:sdt></w:p>", none),
        ("phantom that shows", phantom("1"), none),
        ("base of a reading", ruby(plain(), plain("x")), none),
        ("reading", ruby(plain("x"), plain()), none),
        ("shape of a size", shape("width:90pt;height:20pt;margin-left:-9pt"), none),
        ("raised a little", paragraph('<w:position w:val="6"/>'), none),
        ("filled black over white", paragraph(WHITE + filled('<w14:srgbClr w14:val="000000"/>')), none),
        ("relief in white", paragraph(WHITE + "<w:emboss/>"), none),
    ]


def docx_cases() -> list[DocxCase]:
    black = '<w:color w:val="000000"/>' + OFF
    settings = {"settings.xml": f"<w:settings {W}><w:displayBackgroundShape/></w:settings>"}
    navy, navy_page = paragraph('<w:color w:val="000080"/>'), '<w:background w:color="000080"/>'
    made = [DocxCase(f"hidden: {name}", body, parts, seen=False) for name, body, parts in _docx_hidden()]
    made += [DocxCase(f"seen: {name}", body, parts, seen=True) for name, body, parts in _docx_seen()]
    made += [
        DocxCase("hidden: page colour", navy, settings, seen=False, page=navy_page),
        DocxCase("seen: page colour not shown", navy, {}, seen=True, page=navy_page),
        DocxCase("seen: white on a page in colour", paragraph(WHITE), settings, seen=True, page=navy_page),
    ]
    before, after = paragraph(black + NAVY.replace("000080", "FFFFFF"), text="before"), paragraph(black, text="after")
    return [replace(case, body=before + case.body + after) for case in made]


MARKDOWN_HIDDEN = [
    "| a | b |\n|--|--|\n| 1 | 2 | secret words |",
    "a | b\n--|--\n1 | 2 | secret words",
    "```text secret words\nshown\n```",
    "~~~ text   secret words ~\nshown\n~~~",
    f"<?php {WORDS} ?>",
    f"text <?x {WORDS} ?> text",
    f"<![CDATA[ {WORDS} ]]>",
    f"<!ELEMENT br {WORDS}>",
    f"<!-- {WORDS} -->",
    f"a <!-- {WORDS} --> b",
    f"[//]: # ({WORDS})",
    f"<div hidden>{WORDS}</div>",
    f"<div style='display:none'>\n{WORDS}\n</div>",
    f"<div style='display:none'>\n\n{WORDS}\n\n</div>",
    f"<div style='color:white'>\n\n{WORDS}\n\n</div>",
    f"<div style='display:none'>\n\n- one\n- {WORDS}\n\n</div>",
    f"<div style='display:none'>\n\n```\n{WORDS}\n```\n\n</div>",
    f"<div style='display:none'>\n\n| a | b |\n| - | - |\n| {WORDS} | c |\n\n</div>",
    f"<div hidden>\n\n## {WORDS}\n\n</div>",
    f"shown <span style='display:none'>{WORDS}</span> shown",
    f'shown <span style="font-size:0">{WORDS}</span> shown',
    f"shown <span hidden>secret</span><i hidden> </i><span hidden>{WORDS}</span>",
    f"- item <b style='visibility:hidden'>{WORDS}</b>",
    f"> quoted <b style='opacity:0'>{WORDS}</b>",
    f"> <div hidden>\n> {WORDS}\n> </div>",
    f"| a | <b hidden>{WORDS}</b> |\n| - | - |\n| c | d |",
    f"# Title <span hidden>{WORDS}</span>",
    f"<details><summary>more</summary>\n\n{WORDS}\n\n</details>",
    f"<details>\n<summary>more</summary>\n{WORDS}\n</details>",
    f"<style>.x{{display:none}}</style>\n\n<p class=x>{WORDS}</p>",
    f"<style>.x em{{display:none}}</style>\n\n<div class=x>\n\n*{WORDS}*\n\n</div>",
    f"<template>{WORDS}</template>",
    f"<font color=white>{WORDS}</font>",
    f'[link](http://a.b "{WORDS}")',
    f"[link](<http://a.b> '{WORDS}')",
    f'[ref]\n\n[ref]: http://a.b "{WORDS}"',
    f"[nobody]: http://a.b '{WORDS}'",
    f"[{WORDS}]: #",
    f"![{WORDS}](a.png)",
    f'![picture](a.png "{WORDS}")',
    f"![{WORDS}][pic]\n\n[pic]: a.png",
    f"<div style='--x:none;display:var(--x)'>{WORDS}</div>",
    f"<p\nhidden>{WORDS}</p>",
    f"<b style='display&#58;none'>{WORDS}</b>",
    f"<DIV HIDDEN>{WORDS}</DIV>",
    f"> > <span hidden>{WORDS}</span>",
    f"1. a\n\n   <div hidden>\n\n   {WORDS}\n\n   </div>",
    f"<div style='filter:opacity(0)'>\n\n{WORDS}\n\n</div>",
    f"<div hidden>\n\n> quote {WORDS}\n\n</div>",
    f"<style>\n\n.z {{display:none}}\n</style>\n\n<p class=z>{WORDS}</p>",
]

MARKDOWN_SEEN = [
    "| a | b |\n|--|--|\n| 1 | secret words |",
    "a | b\n--|--\n1 | secret words",
    "| a |\n|--|\n| x\\| secret words |",
    "```text\nsecret words\n```",
    f"\\<!-- {WORDS} -->",
    f"`<?x {WORDS} ?>`",
    f"{WORDS}",
    f"**{WORDS}**",
    f"`{WORDS}`",
    f"`<span hidden>{WORDS}</span>`",
    f"```html\n<div hidden>{WORDS}</div>\n```",
    f"    <div hidden>{WORDS}</div>",
    f"[{WORDS}](http://a.b 'title')",
    f"[{WORDS}][ref]\n\n[ref]: http://a.b",
    f"shown <b>{WORDS}</b>",
    f"<div>{WORDS}</div>",
    f"<div>\n\n{WORDS}\n\n</div>",
    f"<div hidden></div>\n\n{WORDS}",
    f"<span style='display:none'>x\n\n{WORDS}",
    f"<details open><summary>more</summary>\n\n{WORDS}\n\n</details>",
    f"<details><summary>{WORDS}</summary>\n\nmore\n\n</details>",
    f"text[^1]\n\n[^1]: {WORDS}",
    f"a <!-- b\n{WORDS}",
    f"1 < 2 and {WORDS} > 1",
    f"<div style='display:none;display:block'>{WORDS}</div>",
    f"\\<span hidden>{WORDS}\\</span>",
    f"a &lt;b hidden&gt; {WORDS}",
    f"<p\nclass=a>{WORDS}</p>",
    f"1. a\n\n   {WORDS}",
    f"<div hidden></div>{WORDS}",
]


def markdown_cases() -> list[Case]:
    made = [Case(f"hidden: {text}", text, seen=False) for text in MARKDOWN_HIDDEN]
    made += [Case(f"seen: {text}", text, seen=True) for text in MARKDOWN_SEEN]
    return [replace(case, source=f"before\n\n{case.source}\n\nafter\n") for case in made]
