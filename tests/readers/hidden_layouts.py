"""Families of ways to hide words in a page that a layout, a shadow tree, a drawing or a container decides."""

from __future__ import annotations

HIDDEN = [
    (
        "<table style='border-collapse:collapse'><col><col style='visibility:collapse'><tr><td>a</td><td>"
        "secret words</td></tr></table>"
    ),
    (
        "<table><colgroup span=1><colgroup span=1 style='visibility:collapse'><tr><td>a</td><td>secret wo"
        "rds</td></tr></table>"
    ),
    "<table><tbody style='visibility:collapse'><tr><td>secret words</td></tr></tbody></table>",
    '<p style="transform:perspective(200px) translateZ(300px)">secret words</p>',
    '<p style="transform:rotateX(-90deg)">secret words</p>',
    '<p style="transform:rotateY(80deg) rotateY(100deg);backface-visibility:hidden">secret words</p>',
    '<p style="rotate:0 1 0 0.25turn">secret words</p>',
    "<div style='perspective:800px'><p style='transform:rotateY(90deg)'>secret words</p></div>",
    (
        "<style>.c{position:relative;height:60px;width:300px;transform-style:preserve-3d}.c>*{position:ab"
        "solute;inset:0;backface-visibility:hidden;background:#eee}.k{transform:rotateY(180deg)}</style><"
        "div class=c><div class=f>front</div><div class=k>secret words</div></div>"
    ),
    (
        "<div><template shadowrootmode=open><style>:host{opacity:0}</style><slot></slot></template><p>sec"
        "ret words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><style>slot{display:none}</style><slot></slot></template><p>s"
        "ecret words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><div style='height:0;overflow:hidden'><slot></slot></div></te"
        "mplate><p>secret words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><div style='color:#fff'><slot></slot></div></template><p>secr"
        "et words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><style>:host-context(body){display:none}</style><p>secret wor"
        "ds</p></template></div>"
    ),
    (
        "<style>.o{container-type:inline-size;width:600px}@container (min-width:400px){.x{display:none}}<"
        "/style><div class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{--k:off}@container style(--k:off){.x{display:none}}</style><div class=o><p class=x>sec"
        "ret words</p></div>"
    ),
    (
        "<style>.o{container-type:inline-size;width:300px}.x{font-size:.1cqi}</style><div class=o><p clas"
        "s=x>secret words</p></div>"
    ),
    ("<svg width=300 height=40><rect width=300 height=40 fill=navy /><text y=20 fill=navy>secret words</text></svg>"),
    (
        "<svg width=300 height=40><circle cx=150 cy=20 r=400 fill=green /><text y=20 fill=green>secret wo"
        "rds</text></svg>"
    ),
    "<svg width=300 height=40><text y=20 fill-opacity=0>secret words</text></svg>",
    "<svg width=300 height=40><text y=20 font-size=.5>secret words</text></svg>",
    "<svg width=300 height=40><defs><text y=20>secret words</text></defs></svg>",
    (
        "<svg width=300 height=40><linearGradient id=g><stop stop-color=white /></linearGradient><text y="
        "20 fill=url(#g)>secret words</text></svg>"
    ),
    "<svg width=300 height=40><g display=none><text y=20>secret words</text></g></svg>",
    "<svg width=0 height=0><text y=20>secret words</text></svg>",
    "<svg width=300 height=40><metadata>secret words</metadata><rect width=9 height=9 /></svg>",
    (
        "<svg width=300 height=40><text y=20>secret words</text><line x1=0 y1=16 x2=300 y2=16 stroke=whit"
        "e stroke-width=40 /></svg>"
    ),
    (
        "<svg width=300 height=40><switch><text systemLanguage=de y=20>secret words</text><text y=20>x</t"
        "ext></switch></svg>"
    ),
    "<svg width=300 height=40><text y=20><textPath href=#no>secret words</textPath></text></svg>",
    "<svg width=300 height=40><marker id=q><text>secret words</text></marker></svg>",
    (
        '<div style="position:relative"><p>secret words</p><div style=\'position:absolute;inset:0;display:'
        "flex'><i style='flex:1;background:#fff'></i></div></div>"
    ),
    '<div style="float:left;margin-left:-400px;width:300px"><p style="">secret words</p></div>',
    '<p style="color:oklch(from black calc(l + 1) c h)">secret words</p>',
    '<p style="color:color(from white srgb r g b)">secret words</p>',
    '<p style="color:#fff;filter:drop-shadow(3000px 0 0 #000)">secret words</p>',
    "<select><optgroup label='secret words'><option>a</select>",
    "<style>.n::after{content:'secret words';position:absolute;left:-9999px}</style><p class=n>a</p>",
    (
        "<div><template shadowrootmode=open><style>::slotted([slot=t]){opacity:0}</style><slot name=t></s"
        "lot></template><span slot=t>secret words</span></div>"
    ),
    ("<x-card><template shadowrootmode=open><style>p{color:#fff}</style><p>secret words</p></template></x-card>"),
    (
        "<style>x-a p{display:none}</style><x-a><template shadowrootmode=open><slot></slot></template><p>"
        "secret words</p></x-a>"
    ),
    (
        "<style>x-a::part(l){color:#fff}</style><x-a><template shadowrootmode=open><i part='l m'>secret w"
        "ords</i></template></x-a>"
    ),
    (
        "<style>.s{container-type:inline-size;width:30%}@container (max-width:500px){.x{font-size:0}}</st"
        "yle><div class=s><p class=x>secret words</p></div>"
    ),
    (
        "<style>.s{container-type:inline-size;width:200px}@container (width>100px) and (width<300px){.x{v"
        "isibility:hidden}}</style><div class=s><p class=x>secret words</p></div>"
    ),
    (
        "<svg width=320 height=60><g transform='translate(0 20)'><rect width=320 height=40 fill=olive /><"
        "/g><text x=10 y=45 fill=olive>secret words</text></svg>"
    ),
    (
        "<svg width=320 height=60><text x=10 y=30>secret words</text><rect x=5 y=10 width=200 height=30 f"
        "ill=snow /></svg>"
    ),
    "<svg width=320 height=60><text x=-300 y=30>secret words</text></svg>",
    "<svg width=320 height=60><style>text{fill:none}</style><text x=10 y=30>secret words</text></svg>",
    "<svg width=320 height=60 viewBox='0 200 320 60'><text x=10 y=300>secret words</text></svg>",
    (
        "<svg width=320 height=60><linearGradient id=q><stop stop-color='#fff'/><stop offset=1 stop-color"
        "='#fff'/></linearGradient><text x=10 y=30 fill='url(#q)'>secret words</text></svg>"
    ),
    "<svg width=320 height=60 style='visibility:hidden'><text x=10 y=30>secret words</text></svg>",
    '<p style="transform:perspective(100px) translateZ(100px)">secret words</p>',
    '<p style="rotate:y 180deg;backface-visibility:hidden">secret words</p>',
    '<p style="color:lab(from white l a b)">secret words</p>',
    (
        "<div style='position:relative'><p>secret words</p><div style='position:absolute;inset:0;display:"
        "flex'><div style='flex:1;background:#fafafa'>x</div></div></div>"
    ),
    "<iframe srcdoc='secret words' width=0 height=0></iframe>",
]

SEEN = [
    ("<table><col><col style='visibility:collapse'><col><tr><td colspan=2>secret words</td><td>z</td></tr></table>"),
    '<p style="transform:perspective(200px) translateZ(-200px)">secret words</p>',
    '<p style="transform:rotateY(360deg);backface-visibility:hidden">secret words</p>',
    '<p style="transform:scaleX(-1);backface-visibility:hidden">secret words</p>',
    '<p style="transform:rotate(180deg);transform-origin:0 0;width:300px">secret words</p>',
    '<p style="transform:rotateY(90deg);transform-style:flat;display:inline">secret words</p>',
    ("<div style='transform:rotateY(180deg)'><p style='backface-visibility:hidden'>secret words</p></div>"),
    (
        "<div><template shadowrootmode=open><style>:host(.a){display:none}</style><slot></slot></template"
        "><p>secret words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><div style='height:0;overflow:hidden'><slot name=n></slot></d"
        "iv><slot></slot></template><p>secret words</p></div>"
    ),
    "<div><template shadowrootmode=open><slot name=n>secret words</slot></template><p>other</p></div>",
    (
        "<div><template shadowrootmode=open><style>p{display:none}</style><slot></slot></template><p>secr"
        "et words</p></div>"
    ),
    ("<style>p{display:none}</style><div><template shadowrootmode=open><p>secret words</p></template></div>"),
    "<div><template shadowrootmode=closed><p>secret words</p></template>z</div>",
    (
        "<style>.o{container-type:inline-size;width:200px}@container (min-width:400px){.x{display:none}}<"
        "/style><div class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{container-type:size;height:50px}@container (height > 90px){.x{display:none}}</style><d"
        "iv class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{container-type:inline-size;width:50%}.p{width:400px}@container (width > 700px){.x{disp"
        "lay:none}}</style><div class=p><div class=o><p class=x>secret words</p></div></div>"
    ),
    (
        "<style>.o{container-type:inline-size;width:200px}@container (orientation:portrait){.x{display:no"
        "ne}}</style><div class=o><p class=x>secret words</p></div>"
    ),
    "<svg width=300 height=40><text y=20 fill=none stroke=#333>secret words</text></svg>",
    "<svg width=300 height=40><defs><text id=t y=20>secret words</text></defs><use href=#t /></svg>",
    (
        "<svg width=300 height=40><mask id=m><rect width=300 height=40 fill=white /></mask><text y=20 mas"
        "k=url(#m)>secret words</text></svg>"
    ),
    (
        "<svg width=300 height=40><linearGradient id=g><stop stop-color=#112 /></linearGradient><text y=2"
        "0 fill=url(#g)>secret words</text></svg>"
    ),
    (
        "<svg width=300 height=40><text y=20>secret words</text><rect width=300 height=40 fill=none strok"
        "e=black /></svg>"
    ),
    "<svg width=300 height=40><text y=20><tspan dy=5>secret words</tspan> x</text></svg>",
    "<svg width=300 height=40><a href=#><text y=20>secret words</text></a></svg>",
    (
        '<div style="position:relative"><p>secret words</p><div style=\'position:absolute;inset:0;backgrou'
        "nd:white;border-radius:50%'></div></div>"
    ),
    '<div style="aspect-ratio:1/0;overflow:hidden;width:200px"><p style="">secret words</p></div>',
    '<div style="filter:hue-rotate(90deg)"><p style="">secret words</p></div>',
    '<p style="color:#fff;filter:drop-shadow(1px 1px 0 #000)">secret words</p>',
    "<style>li::marker{content:'secret words'}</style><ul><li>a</ul>",
    "<style>.x::before{content:attr(data-t)}</style><p class=x data-t='secret words'>a</p>",
    "<input placeholder='secret words' size=30>",
    "<textarea placeholder='secret words' cols=30></textarea>",
    "<select><option label='secret words'>a</select>",
    ("<style>.n::before{content:'secret words';display:block;background:#222;color:#fff}</style><p class=n>a</p>"),
    (
        "<div><template shadowrootmode=open><style>:host([closed]) .b{display:none}</style><div class=b><"
        "slot></slot></div></template><p>secret words</p></div>"
    ),
    (
        "<x-card><template shadowrootmode=open><style>p{color:#fff;background:#333}</style><p>secret word"
        "s</p></template></x-card>"
    ),
    (
        "<div><template shadowrootmode=open><slot></slot></template><x-in><template shadowrootmode=open><"
        "p>secret words</p></template></x-in></div>"
    ),
    (
        "<x-a><template shadowrootmode=open><style>:host{position:absolute;left:9px}</style><slot></slot>"
        "</template><p>secret words</p></x-a>"
    ),
    (
        "<style>.s{container:side/inline-size;width:250px}@container side (min-width:20rem){.x{display:no"
        "ne}}</style><div class=s><p class=x>secret words</p></div>"
    ),
    (
        "<style>.s{container-type:inline-size}.x{display:none}@container (min-width:600px){.x{display:blo"
        "ck}}</style><div class=s><p class=x>secret words</p></div>"
    ),
    (
        "<style>.s{--t:light}@container style(--t:dark){.x{color:#fff}}</style><div class=s><p class=x>se"
        "cret words</p></div>"
    ),
    (
        "<svg width=320 height=60><rect x=200 width=120 height=60 fill=teal /><text x=10 y=30 fill=teal>s"
        "ecret words</text></svg>"
    ),
    "<svg width=320 height=60><g transform='scale(2)'><text x=5 y=15>secret words</text></g></svg>",
    (
        "<svg width=320 height=60><text x=10 y=30>secret words</text><g opacity=.3><rect width=320 height"
        "=60 fill=white /></g></svg>"
    ),
    "<svg width=320 height=60><text><tspan x=10 y=30>secret words</tspan></text></svg>",
    "<svg width=320 height=60 viewBox='0 200 320 60'><text x=10 y=230>secret words</text></svg>",
    ("<svg width=320 height=60><defs><g id=q><text x=10 y=30>secret words</text></g></defs><use href='#q'/></svg>"),
    ("<svg width=320 height=60><circle cx=80 cy=30 r=10 fill=red /><text x=10 y=30 fill=red>secret words</text></svg>"),
    "<svg width=320 height=60><text x=10 y=30 letter-spacing=1>secret words</text></svg>",
    '<p style="transform:perspective(300px) rotateX(30deg)">secret words</p>',
    '<p style="transform:rotateY(60deg);backface-visibility:hidden">secret words</p>',
    '<p style="color:lab(from black l a b)">secret words</p>',
    '<p style="overflow:clip;height:4px;overflow-clip-margin:40px">secret words</p>',
    '<p style="float:left;margin-left:20px">secret words</p>',
    (
        "<div style='position:relative'><p>secret words</p><div style='position:absolute;inset:0;backgrou"
        "nd:#fff;transform:rotateY(180deg);backface-visibility:hidden'></div></div>"
    ),
    "<input type=email placeholder='secret words' size=30>",
]
