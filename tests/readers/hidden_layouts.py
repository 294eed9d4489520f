"""Families of ways to hide words in a page that a layout, a shadow tree, a drawing or a container decides."""

from __future__ import annotations

HIDDEN = [
    "<div><template shadowrootmode=open><slot>secret words</slot></template><p>given</p></div>",
    '<div style="display:flex;width:240px;overflow:clip"><i style="flex:none;width:260px"></i>secret words</div>',
    '<p style="position:absolute;left:-100vw;right:200vw">secret words</p>',
    (
        '<div style="position:relative"><p>secret words</p><img src="a/0.png" style="position:absolute;l'
        'eft:0;top:0"></div>'
    ),
    (
        '<div style="position:relative"><p style="margin:0">secret words</p><img src="a/0.png" alt="" st'
        'yle="position:absolute;left:-10px;top:-10px"></div>'
    ),
    '<p style="margin:0">secret words</p><img src="a/0.png" alt="" style="position:relative;top:-30px">',
    '<p style="margin:0">secret words</p><img src="a/0.png" alt="" style="margin-top:-40px;position:relative">',
    (
        '<div style="display:grid"><p style="grid-area:1/1">secret words</p><img src="a/0.png" alt="" st'
        'yle="grid-area:1/1"></div>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><canvas style="position:absolute;left:0;top:0'
        ';background:#fff"></canvas></div>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><iframe style="position:absolute;left:0;top:0'
        ';background:#fff" srcdoc="x"></iframe></div>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><video style="position:absolute;left:0;top:0;'
        'background:#fff"></video></div>'
    ),
    '<p style="mask-image:linear-gradient(to right,transparent 90%,black)">secret words</p>',
    '<p style="mask-image:linear-gradient(to left,black 20%,transparent 40%)">secret words</p>',
    '<p style="mask:radial-gradient(circle at 80% 50%,black 10%,transparent 12%)">secret words</p>',
    '<p style="-webkit-mask-image:linear-gradient(90deg,transparent,transparent 60%,#000)">secret words</p>',
    (
        '<p style="mask-image:url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEA'
        'AAIBRAA7)">secret words</p>'
    ),
    '<p style="mask:conic-gradient(transparent 0 100%)">secret words</p>',
    (
        '<p style="mask-image:linear-gradient(black,black);mask-size:20px 20px;mask-repeat:no-repeat;mas'
        'k-position:400px 0">secret words</p>'
    ),
    '<p style="mask:linear-gradient(#000,#000) 500px 0/50px 50px no-repeat">secret words</p>',
    '<p style="mask-image:linear-gradient(black,black);mask-mode:luminance">secret words</p>',
    '<p style="mask-image:repeating-linear-gradient(90deg,#0000 0 800px,#000 0 810px)">secret words</p>',
    (
        '<p style="mask-image:linear-gradient(black,black),linear-gradient(black,black);mask-composite:e'
        'xclude">secret words</p>'
    ),
    (
        '<svg width=0 height=0><mask id=m><rect width=500 height=99 fill=black /></mask></svg><p style="'
        'mask:url(#m)">secret words</p>'
    ),
    (
        '<div style="display:flex;width:200px;overflow:hidden"><div style="flex:none">some very long wor'
        'ds that fill the line of a box</div><div style="flex:none">secret words</div></div>'
    ),
    (
        '<div style="display:flex;overflow:hidden;width:150px"><div style="flex:0 0 100%">first</div><di'
        'v style="flex:0 0 100%">secret words</div></div>'
    ),
    (
        '<div style="display:flex;overflow:hidden;width:150px"><span style="min-width:200px">first</span'
        "><span>secret words</span></div>"
    ),
    (
        '<div style="display:flex;overflow:hidden;width:150px"><span style="padding-left:160px;flex-shri'
        'nk:0">a</span><span>secret words</span></div>'
    ),
    (
        '<div style="display:flex;justify-content:flex-end;overflow:hidden;width:150px"><span style="fle'
        'x:none;width:200px">secret words</span><span style="flex:none;width:150px">b</span></div>'
    ),
    (
        '<div style="display:flex;flex-direction:row-reverse;overflow:hidden;width:150px"><span style="f'
        'lex:none;width:150px">b</span><span style="flex:none;width:200px">secret words</span></div>'
    ),
    '<div style="display:flex"><span>a</span><span style="margin-left:-3000px">secret words</span></div>',
    (
        '<div style="display:flex"><span style="margin-right:-400px;width:300px;margin-left:-400px">secr'
        "et words</span><b>x</b></div>"
    ),
    ('<div style="display:flex"><span style="margin-left:-200px;white-space:nowrap">secret words</span><b>x</b></div>'),
    '<div style="display:flex;overflow:hidden"><p style="margin-top:-200px">secret words</p><b>x</b></div>',
    '<div style="display:inline-flex;margin-left:-500px;width:300px"><p>secret words</p></div>',
    (
        '<table style="table-layout:fixed;width:300px"><tr><td style="overflow:hidden;text-indent:900px;'
        'white-space:nowrap">secret words</td></tr></table>'
    ),
    (
        '<table style="width:300px;table-layout:fixed"><tr><td>a</td><td style="overflow:hidden;padding-'
        'left:600px;white-space:nowrap">secret words</td></tr></table>'
    ),
    '<table><tr><td style="text-indent:-2000px">secret words</td></tr></table>',
    (
        '<table style="table-layout:fixed;width:100px"><colgroup><col style="width:100px"><col style="wi'
        'dth:0"></colgroup><tr><td>a</td><td style="overflow:hidden;white-space:nowrap;padding:0">secret'
        " words</td></tr></table>"
    ),
    (
        '<table><colgroup><col><col style="visibility:collapse"></colgroup><thead><tr><th>a</th><th>secr'
        "et words</th></tr></thead></table>"
    ),
    ('<table><col span=2 style="visibility:collapse"><col><tr><td>a</td><td>secret words</td><td>c</td></tr></table>'),
    (
        '<div style="display:grid;grid-template-columns:0 1fr;"><p style="overflow:hidden;margin:0;white'
        '-space:nowrap">secret words</p><p>b</p></div>'
    ),
    (
        '<div style="display:grid;grid-template-columns:100px 0;overflow:hidden"><p>a</p><p style="overf'
        'low:hidden;white-space:nowrap">secret words</p></div>'
    ),
    (
        '<div style="display:grid;grid-template-rows:20px 0;overflow:hidden"><p style="margin:0">a</p><p'
        ' style="margin:0;overflow:hidden;min-height:0">secret words</p></div>'
    ),
    '<div style="perspective:100px"><p style="transform:translateZ(120px)">secret words</p></div>',
    '<div style="perspective:200px"><p style="transform:translateZ(-90000px)">secret words</p></div>',
    (
        '<div style="perspective:300px;perspective-origin:-5000px 0"><p style="transform:translateZ(-300'
        '0px)">secret words</p></div>'
    ),
    '<div style="perspective:300px"><p style="transform:rotateX(90deg)">secret words</p></div>',
    '<p style="transform:perspective(300px) rotateY(89.9deg)">secret words</p>',
    '<p style="transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,-3000,0,0,1)">secret words</p>',
    (
        '<div style="transform-style:preserve-3d;transform:rotateX(45deg)"><p style="transform:rotateX(4'
        '5deg)">secret words</p></div>'
    ),
    '<p style="transform:matrix(1,0,0,1,-2000,0)">secret words</p>',
    '<p style="transform:scale(.05)">secret words</p>',
    (
        "<div><template shadowrootmode=open><style>::slotted(*){display:none}</style><slot></slot></temp"
        "late><p>secret words</p></div>"
    ),
    "<div><template shadowrootmode=open><slot name=a></slot></template><p slot=b>secret words</p></div>",
    (
        "<div><template shadowrootmode=open><style>slot{color:transparent}</style><slot></slot></templat"
        "e>secret words</div>"
    ),
    (
        "<div><template shadowrootmode=open><style>:host{display:block;height:10px;overflow:hidden}i{dis"
        "play:block;height:40px}</style><i></i><slot></slot></template><p>secret words</p></div>"
    ),
    (
        "<div><template shadowrootmode=open><style>div{position:relative}b{position:absolute;inset:0;bac"
        "kground:#fff}</style><div><slot></slot><b></b></div></template><p>secret words</p></div>"
    ),
    (
        "<style>.o{container:c/inline-size;width:500px}@container c (width>=500px){p.x{opacity:0}}</styl"
        "e><div class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{container-type:size;width:500px;height:90px}@container (orientation:landscape){.x{dis"
        "play:none}}</style><div class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{display:flex}.i{container-type:inline-size;flex:1}@container (min-width:200px){.x{dis"
        "play:none}}</style><div class=o><div class=i><p class=x>secret words</p></div></div>"
    ),
    (
        "<style>.o{display:grid;grid-template-columns:1fr 1fr}.i{container-type:inline-size}@container ("
        "min-width:300px){.x{visibility:hidden}}</style><div class=o><div class=i><p class=x>secret word"
        "s</p></div></div>"
    ),
    (
        "<style>.i{container-type:inline-size;position:absolute;left:0;right:0}@container (min-width:300"
        "px){.x{font-size:0}}</style><div class=i><p class=x>secret words</p></div><br><br><br>"
    ),
    (
        "<style>.i{--a:1}@container style(--a:1) and (min-width:1px){.x{font-size:0}}</style><div class="
        'i style="container-type:inline-size"><p class=x>secret words</p></div>'
    ),
    (
        "<style>body{container-type:inline-size}.x{display:block}@container not (max-width:300px){.x{dis"
        "play:none}}</style><p class=x>secret words</p>"
    ),
    (
        '<svg width=300 height=60><path d="M0 0H300V60H0Z" fill="#224"/><text x=10 y=30 fill="#224">secr'
        "et words</text></svg>"
    ),
    (
        '<svg width=300 height=60><polygon points="0,0 300,0 300,60 0,60" fill=maroon /><text x=10 y=30 '
        "fill=maroon>secret words</text></svg>"
    ),
    '<svg width=300 height=60 style="background:#123"><text x=10 y=30 fill="#123">secret words</text></svg>',
    (
        '<svg width=300 height=60><text x=10 y=30 clip-path="url(#cc)">secret words</text><clipPath id=c'
        "c><rect x=250 width=9 height=9 /></clipPath></svg>"
    ),
    (
        '<svg width=300 height=60><text x=10 y=30 mask="url(#mm)">secret words</text><mask id=mm><rect w'
        "idth=300 height=60 fill=black /></mask></svg>"
    ),
    '<svg width=300 height=60><text x=10 y=30 transform="translate(400,0)">secret words</text></svg>',
    '<svg width=300 height=60><text x=10 y=30 transform="scale(.05)">secret words</text></svg>',
    "<svg width=300 height=60><g opacity=0><text x=10 y=30>secret words</text></g></svg>",
    (
        '<svg width=300 height=60><text x=10 y=30>secret words</text><image href="a/0.png" width=300 hei'
        "ght=60 preserveAspectRatio=none /></svg>"
    ),
    '<svg width=300 height=60><text x=10 y=30>secret words</text><path d="M0 0h300v60h-300z" fill=white /></svg>',
    (
        '<div style="position:relative"><p>secret words</p><div style="position:absolute;inset:0;backdro'
        'p-filter:brightness(0)"></div></div>'
    ),
    '<p style="color:#fff;-webkit-text-stroke:0">secret words</p>',
    (
        '<div style="columns:2;height:20px;overflow:hidden;width:300px"><p style="margin:0">a<br>b<br>c<'
        "/p><p>secret words</p></div>"
    ),
    '<p style="clip-path:polygon(0 0,1px 0,1px 1px)">secret words</p>',
    "<p style=\"clip-path:path('M900 0h10v10z')\">secret words</p>",
    '<p style="clip-path:shape(from 0 0,line to 0 1px,close)">secret words</p>',
    "<p style=\"offset-path:path('M-2000,0 L-2000,9')\">secret words</p>",
    '<div style="writing-mode:vertical-rl;height:0;overflow:hidden">secret words</div>',
    (
        '<div style="overflow:hidden;width:100px;white-space:nowrap"><span style="display:inline-block;w'
        'idth:120px"></span>secret words</div>'
    ),
    '<div style="position:relative;width:0;height:0;overflow:visible;clip-path:inset(0)">secret words</div>',
    '<div style="display:flex;height:0;overflow:hidden"><p>secret words</p></div>',
    "<style>@starting-style{p{opacity:1}}.x{opacity:0;transition:opacity 1s}</style><p class=x>secret words</p>",
    ("<style>.x{animation:a 1s forwards}@keyframes a{to{clip-path:inset(100%)}}</style><p class=x>secret words</p>"),
    '<p style="color:if(style(--x:1): black; else: white)">secret words</p>',
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
    '<p style="transform:rotate(90deg);transform-origin:-3000px 0">secret words</p>',
    '<p style="transform:rotate(180deg);transform-origin:0 -200px">secret words</p>',
    (
        '<p style="rotate:-90deg;transform-origin:0 0;width:200px;position:relative;top:-60px;left:-90px"'
        ">secret words</p>"
    ),
    '<p style="clip-path:circle(5% at 90% 50%)">secret words</p>',
    '<p style="clip-path:polygon(60% 0,100% 0,100% 100%,60% 100%)">secret words</p>',
    '<p style="clip-path:inset(0 0 0 40%)">secret words</p>',
    '<p style="clip-path:polygon(0 200%,100% 200%,100% 300%)">secret words</p>',
    '<p style="position:absolute;clip:rect(0,auto,auto,500px)">secret words</p>',
    (
        '<svg width="0" height="0"><clipPath id="c"><rect x="800" width="9" height="9"/></clipPath></svg>'
        '<p style="clip-path:url(#c)">secret words</p>'
    ),
    '<div style="position:fixed;top:0;left:0;right:0;height:75px;background:white;"></div>secret words',
    (
        '<div style="position:relative"><p>secret words</p><div style="position:absolute;top:0;left:0;wid'
        'th:100%;border-bottom:60px solid #fff"></div></div>'
    ),
    '<p style="color:CanvasText;color-scheme:dark">secret words</p>',
    (
        '<svg width="0" height="0"><filter id="f"><feFlood flood-color="white"/></filter></svg><p style="'
        'filter:url(#f)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 '
        '0 0 0 0"/></filter></svg><p style="filter:url(#f)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feComponentTransfer><feFuncA type="linear" slope="0"/>'
        '</feComponentTransfer></filter></svg><p style="filter:url(#f)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feOffset dx="3000"/></filter></svg><p style="filter:ur'
        'l(#f)">secret words</p>'
    ),
    (
        '<div style="width:200px;overflow:hidden"><div style="display:inline-block;margin-left:400px">sec'
        "ret words</div></div>"
    ),
    '<p style="position:absolute;left:50%;transform:translateX(-9999%)">secret words</p>',
    '<p style="rotate:180deg;transform-origin:-400px 0">secret words</p>',
    '<p style="transform:rotate(180deg);transform-origin:100px -300px">secret words</p>',
    '<p style="clip-path:inset(0 0 0 80%)">secret words</p>',
    '<p style="clip-path:circle(3% at 95% 50%)">secret words</p>',
    '<p style="clip-path:ellipse(5% 50% at 80% 50%)">secret words</p>',
    '<p style="clip-path:rect(0 100% 100% 70%)">secret words</p>',
    '<p style="clip-path:xywh(60% 0 40% 100%)">secret words</p>',
    '<p style="clip-path:polygon(70% 0%,90% 0%,80% 100%)">secret words</p>',
    '<p style="position:absolute;width:600px;clip:rect(0,600px,90px,400px)">secret words</p>',
    '<p style="color-scheme:dark;color:CanvasText;background:white">secret words</p>',
    '<p style="text-indent:-3000px;padding-left:30px">secret words</p>',
    '<p style="position:absolute;left:10%;transform:translateX(-2000%)">secret words</p>',
    '<p style="clip-path:inset(300% 0 0 0)">secret words</p>',
    (
        '<svg width="0" height="0"><clipPath id="q"><circle cx="900" cy="90" r="20"/></clipPath></svg><p '
        'style="clip-path:url(#q)">secret words</p>'
    ),
    (
        '<div style="width:150px;overflow:hidden"><span style="display:inline-block;margin-left:300px">se'
        "cret words</span></div>"
    ),
    '<div style="position:fixed;top:0;left:0;width:100%;height:90px;background:gray"></div><b>secret words</b>',
    (
        '<div style="position:relative">secret words<div style="position:absolute;left:0;top:-10px;width:'
        '400px;border-top:50px solid silver"></div></div>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feFlood flood-color="red"/></filter></svg><div style="'
        'filter:url(#f)"><p>secret words</p></div>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feOffset dy="-2000"/></filter></svg><p style="filter:u'
        'rl(#f)">secret words</p>'
    ),
]

SEEN = [
    (
        '<div style="position:relative"><p>secret words</p><img src="a/0.png" style="position:absolute;r'
        'ight:0;top:0" width=30 height=30></div>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><img src="a/0.png" style="position:absolute;r'
        'ight:0;top:0"></div>'
    ),
    (
        '<div style="position:relative"><img src="a/0.png" style="position:absolute;left:0;top:0;z-index'
        ':-1"><p style="color:white">secret words</p></div>'
    ),
    (
        '<div style="position:relative"><img src="a/0.png" style="position:absolute;left:0;top:100%"><p>'
        "secret words</p></div>"
    ),
    (
        '<div style="position:relative;padding-left:320px"><p>secret words</p><img src="a/0.png" style="'
        'position:absolute;left:0;top:0"></div>'
    ),
    (
        '<div style="display:grid"><img src="a/0.png" alt="" style="grid-area:1/1"><p style="grid-area:1'
        '/1;color:white">secret words</p></div>'
    ),
    '<p style="mask-image:linear-gradient(to right,black 80%,transparent)">secret words</p>',
    '<p style="mask-image:linear-gradient(black,transparent)">secret words</p>',
    '<p style="mask:radial-gradient(black,black)">secret words</p>',
    ('<p style="mask-image:linear-gradient(to right,transparent,black 2px,black 98%,transparent)">secret words</p>'),
    (
        '<div style="display:flex;overflow:hidden"><div style="flex:none">some words</div><div style="fl'
        'ex:none">secret words</div></div>'
    ),
    '<div style="display:flex;overflow:hidden;width:600px"><span>first</span><span>secret words</span></div>',
    (
        '<div style="display:flex;overflow:hidden;width:300px"><span style="white-space:nowrap">first</s'
        "pan><span>secret words</span></div>"
    ),
    (
        '<div style="display:flex;overflow:auto;width:150px"><div style="flex:0 0 100%">first</div><div '
        'style="flex:0 0 100%">b</div></div><p>secret words</p>'
    ),
    '<div style="display:flex;margin:-10px"><span style="margin:10px">secret words</span></div>',
    (
        '<div style="display:flex"><img alt="" width=40 height=40><span style="margin-left:-20px;positio'
        'n:relative">secret words</span></div>'
    ),
    '<table><tr><td style="padding-left:300px">secret words</td></tr></table>',
    '<table><tr><td style="text-indent:40px">secret words</td></tr></table>',
    '<table><col style="visibility:collapse"><col><tr><td>a</td><td>secret words</td></tr></table>',
    '<div style="perspective:800px"><p style="transform:translateZ(0)">secret words</p></div>',
    '<div style="perspective:800px"><p style="transform:rotateY(10deg)">secret words</p></div>',
    '<p style="transform:translate3d(0,0,0)">secret words</p>',
    (
        "<div><template shadowrootmode=open><style>b{color:red}</style><b>x</b><slot></slot></template><"
        "p>secret words</p></div>"
    ),
    "<div><template shadowrootmode=open><slot>secret words</slot></template></div>",
    (
        "<style>.o{container-type:inline-size;width:300px}@container (min-width:400px){.x{display:none}}"
        "</style><div class=o><p class=x>secret words</p></div>"
    ),
    (
        "<style>.o{display:flex}.i{container-type:inline-size;flex:1}@container (max-width:200px){.x{dis"
        "play:none}}</style><div class=o><div class=i><p class=x>secret words</p></div></div>"
    ),
    (
        "<svg width=300 height=60><rect width=300 height=60 fill=navy /><text x=10 y=30 fill=white>secre"
        "t words</text></svg>"
    ),
    (
        '<svg width=300 height=60><path d="M0 0H300V60H0Z" fill="#224"/><text x=10 y=30 fill="#fff">secr'
        "et words</text></svg>"
    ),
    ("<svg width=300 height=60><text x=10 y=30>secret words</text><rect y=40 width=300 height=9 fill=navy /></svg>"),
    '<svg width=300 height=60><text x=10 y=30 transform="translate(20,5)">secret words</text></svg>',
    (
        '<div style="position:relative"><p>secret words</p><div style="position:absolute;top:0;right:0;b'
        'ackground:#fff;padding:4px">NEW</div></div>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><ul style="position:absolute;top:100%;left:0;'
        'background:#fff">menu</ul></div><br><br>'
    ),
    (
        '<header style="position:fixed;top:0;left:0;right:0;height:40px;background:#fff">bar</header><di'
        'v style="padding-top:60px">secret words</div>'
    ),
    '<header style="position:sticky;top:0;background:#fff">bar</header><p>secret words</p>',
    '<p style="clip-path:polygon(0 0,100% 0,98% 100%,0 100%)">secret words</p>',
    '<p style="filter:drop-shadow(1px 1px 1px gray)">secret words</p>',
    '<p style="filter:contrast(.8) brightness(1.1)">secret words</p>',
    '<div style="columns:2"><p>a</p><p>secret words</p></div>',
    (
        '<div style="overflow:hidden;width:400px;white-space:nowrap"><span style="display:inline-block;w'
        'idth:120px"></span>secret words</div>'
    ),
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
    '<p style="transform:rotate(90deg);transform-origin:0 0;margin-left:60px;width:200px">secret words</p>',
    '<p style="transform:rotate(180deg);transform-origin:50px 10px">secret words</p>',
    '<p style="transform:scale(.8);transform-origin:0 0">secret words</p>',
    '<p style="transform:scale(2);transform-origin:left top">secret words</p>',
    '<p style="rotate:10deg;transform-origin:-100px 0">secret words</p>',
    '<p style="clip-path:inset(0 30% 0 0)">secret words</p>',
    '<p style="clip-path:inset(5% 0 0 0)">secret words</p>',
    '<p style="clip-path:circle(50% at 0 50%)">secret words</p>',
    '<p style="clip-path:ellipse(80% 90%)">secret words</p>',
    '<p style="clip-path:polygon(0% 0%,80% 0%,80% 100%,0% 100%)">secret words</p>',
    '<p style="clip-path:xywh(0 0 50% 100%)">secret words</p>',
    '<p style="clip-path:rect(0 40% 100% 0)">secret words</p>',
    '<p style="position:absolute;clip:rect(0,300px,40px,0)">secret words</p>',
    '<p style="position:absolute;clip:rect(auto,auto,auto,auto)">secret words</p>',
    '<p style="text-indent:-300px;padding-left:300px;overflow:hidden">secret words</p>',
    '<p style="text-indent:-3000px;padding-left:3000px;overflow:hidden">secret words</p>',
    '<p style="text-indent:-50px;margin-left:50px">secret words</p>',
    '<p style="text-indent:-2em;padding-left:2em;position:relative">secret words</p>',
    '<p style="border-top:20px solid white">secret words</p>',
    '<p style="border:10px solid #fff;position:relative">secret words</p>',
    '<p style="border-left:30px solid white;position:absolute;top:40px">secret words</p>',
    '<p style="border-bottom:40px solid white;position:relative;z-index:1">secret words</p>',
    '<p style="color:CanvasText;color-scheme:light dark">secret words</p>',
    '<p style="color-scheme:dark;background:Canvas;color:CanvasText">secret words</p>',
    '<p style="color-scheme:light;color:CanvasText">secret words</p>',
    (
        '<div style="position:fixed;top:0;left:0;right:0;height:30px;background:white">bar</div><p style='
        '"margin-top:60px">secret words</p>'
    ),
    '<div style="position:fixed;top:0;height:40px;width:100%;background:#eee">secret words</div>',
    (
        '<div style="position:fixed;top:0;left:600px;width:200px;height:150px;background:white"></div><p>'
        "secret words</p>"
    ),
    (
        '<svg width="0" height="0"><clipPath id="c"><rect width="900" height="90"/></clipPath></svg><p st'
        'yle="clip-path:url(#c)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><clipPath id="c" clipPathUnits="objectBoundingBox"><rect width="1" hei'
        'ght="1"/></clipPath></svg><p style="clip-path:url(#c)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feGaussianBlur stdDeviation="0.5"/></filter></svg><p s'
        'tyle="filter:url(#f)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feFlood flood-color="red"/><feComposite in="SourceGrap'
        'hic"/></filter></svg><p style="filter:url(#f)">secret words</p>'
    ),
    (
        '<svg width="0" height="0"><filter id="f"><feOffset dx="3"/></filter></svg><p style="filter:url(#'
        'f)">secret words</p>'
    ),
    (
        '<div style="position:relative"><p>secret words</p><div style="position:absolute;top:80px;left:0;'
        'width:100%;border-top:60px solid #fff"></div></div>'
    ),
    '<div style="position:relative;border:12px solid white"><p>secret words</p></div>',
    '<div style="border-bottom:30px solid white"><p>secret words</p></div><p style="margin:0">x</p>',
    '<div style="display:flex"><div style="border-left:20px solid white">secret words</div></div>',
    (
        '<ul style="list-style:none"><li style="border-top:9px solid white">x<li style="border-top:9px so'
        'lid white">secret words</ul>'
    ),
    '<p>secret words</p><div style="border-top:30px solid white">x</div>',
    '<div style="float:left;border-right:20px solid white">x</div><p>secret words</p>',
    '<p style="margin:0">secret words</p><p style="margin:0;position:relative;border-top:10px solid white">y</p>',
]

CUT = "overflow:hidden;"
FIRST, SECOND = "<p>one line</p>", "<p>two line</p>"
HIDDEN += [
    f'<div style="{CUT}height:60px">{FIRST}{SECOND}<p>secret words</p></div>',
    *(
        f'<div style="display:flex;flex-direction:column;{CUT}height:{high}">{content}</div>'
        for high, content in (
            ("40px", FIRST + SECOND + "<p>secret words</p>"),
            ("60px;gap:40px", "<div>aa</div><div>bb</div><div>secret words</div>"),
            ("60px", '<div style="flex:1 0 100%">aa</div><div>secret words</div>'),
            ("40px;justify-content:flex-end", '<div>secret words</div><div style="flex:none;height:50px">aa</div>'),
        )
    ),
    (
        f'<div style="display:flex;flex-direction:column-reverse;{CUT}height:60px"><div style="flex:none;height:70px">'
        "aa</div><div>secret words</div></div>"
    ),
    f'<div style="display:grid;grid-template-rows:50px 50px;height:40px;{CUT}"><p>aa</p><p>secret words</p></div>',
    f'<div style="display:grid;grid-auto-rows:40px;height:60px;{CUT}"><i>a</i><i>b</i><i>secret words</i></div>',
    *(
        f'<div {way} style="display:grid;grid-template-columns:150px 150px;width:100px;{CUT}"><p>a</p>'
        "<p>secret words</p></div>"
        for way in ("", "dir=rtl")
    ),
    *(
        f'<div {way} style="white-space:nowrap;width:100px;{CUT}"><b style="display:inline-block;width:150px">a</b>'
        '<b style="display:inline-block;width:150px">secret words</b></div>'
        for way in ("", "dir=rtl")
    ),
    *(
        f'<div style="display:flex"><p style="margin:0;{wide}">secret words</p><p style="margin:0 0 0 -400px;'
        'width:420px;background:#ccc;position:relative;height:40px">x</p></div>'
        for wide in ("", "width:fit-content", "width:300px")
    ),
    f'<div style="height:40px;{CUT}"><i style="float:left;height:50px">a</i><p style="clear:both">secret words',
    f'<div style="columns:2;height:3em;{CUT}">{FIRST * 6}<p>secret words</p></div>',
    f'<div style="columns:1;height:2em;{CUT}"><p>a</p><p style="break-before:column">secret words</p></div>',
    *(
        f'<div style="{CUT}{side}:{size}">secret words</div>'
        for side in ("height", "white-space:nowrap;width")
        for size in ("calc-size(auto, 0px)", "calc-size(max-content, size * 0)", "hypot(0px, 0px)")
    ),
    *(
        f'<div style="display:table">{columns}<div style="display:table-row"><div style="display:table-cell">a</div>'
        '<div style="display:table-cell">secret words</div></div></div>'
        for column, gone in (("display:table-column", "visibility:collapse"),)
        for columns in (
            f'<i style="{column}"></i><i style="{column};{gone}"></i>',
            f'<i style="{column}"></i><i style="display:table-column-group;{gone}"><i style="{column}"></i></i>',
        )
    ),
]
SEEN += [
    f'<div style="{CUT}height:60px">{FIRST}<p style="margin-top:-1em">secret words</p></div>',
    f'<div style="{CUT}height:56px"><ul><li>a<ul><li>b</li><li>secret words</li></ul></li></ul></div>',
    f'<div style="{CUT}height:60px"><section><ul><li><p>a</p></li></ul></section><i>secret words</i></div>',
    f'<div style="display:flex;flex-direction:column;{CUT}height:99px"><p style="height:90px">a</p>secret words</div>',
    f'<div style="display:flex;flex-direction:column-reverse;{CUT}height:60px"><p>secret words</p><p>a</p></div>',
    f'<div style="display:grid;grid-template-rows:50px 50px;height:80px;{CUT}"><p>aa</p><i>secret words</i></div>',
    f'<p style="white-space:nowrap;width:300px;{CUT}"><b style="display:inline-block;width:9em"></b>secret words</p>',
    (
        '<div style="display:flex"><p style="margin:0">secret words</p><p style="margin:0 0 0 -40px;width:60px;'
        'background:#ccc;position:relative;height:40px">x</p></div>'
    ),
    (
        f'<div style="display:flex;flex-direction:column;{CUT}height:120px"><p>aa</p><i style="height:100%">a</i>'
        '<i style="height:260px">secret words</i></div>'
    ),
    f'<div style="columns:2;height:3em;{CUT}"><p>a</p><p style="break-before:column">secret words</p></div>',
    f'<div style="{CUT}height:120px;line-height:2;width:16px">lorem ipsum dolor secret words</div>',
    f'<div style="{CUT}max-height:calc-size(auto, 0px)">secret words</div>',
    f'<div style="{CUT}height:calc-size(auto, size)">secret words</div>',
    *(
        '<div style="position:relative;width:300px"><img src="a/0.png" alt="" style="width:100%">'
        f'<div style="position:absolute;{placed};color:white">secret words</div></div>'
        for placed in ("top:50%;left:50%;transform:translate(-50%,-50%)", "bottom:20px;left:10px")
    ),
    *(
        f'<div style="position:relative"><p style="{moved}">secret words</p><i style="position:absolute;left:0;top:0;'
        'width:100%;height:100%;background:#fff"></i></div>'
        for moved in ("transform:translateX(-20px)", "float:right")
    ),
]
