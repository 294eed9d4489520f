"""Ways to hide words by rules whose effect hangs on more than their selectors: a scope, a state, a part, a function."""

from __future__ import annotations

WORDS = "secret words"


def _styled(css: str, body: str = f"<p class=z>{WORDS}</p>") -> str:
    return f"<style>{css}</style>{body}"


def _moving(frames: str, animation: str) -> str:
    return _styled(f"@keyframes go{{{frames}}}.z{{animation:go {animation}}}")


def _scoped(outer: str, inner: str) -> str:
    """Two scopes, of which the one with the nearer root decides, whichever comes last."""
    rules = "@scope(.off){p{display:none}}@scope(.on){p{display:block}}"
    return _styled(rules, f"<div class={outer}><div class={inner}><p>{WORDS}</p></div></div>")


def _beside(state: str, field: str) -> str:
    return _styled(f"{state} + p{{display:none}}", f"{field}<p>{WORDS}</p>")


def _held(css: str) -> str:
    """A part of an element that a rule styles."""
    return _styled(css, f"<details open><summary>a</summary><p>{WORDS}</p></details>")


def _under(cover: str) -> str:
    """The words, and something that is placed over them."""
    placed = "style='position:absolute;left:0;top:-5px;width:400px;height:60px;border:0"
    return f"<div style='position:relative'><p style='margin:0'>{WORDS}</p>{cover.format(placed)}</div>"


def _placed(css: str, around: str = "{}") -> str:
    return around.format(f"<p style='{css}'>{WORDS}</p>")


RELATIVE = "<div style='position:relative'>{}</div>"
BACKWARDS = (
    "<style>.x{{direction:rtl;white-space:nowrap;overflow:hidden}}.x,.x span{{display:inline-block;width:300px}}"
    "</style><div class=x><span dir=ltr>{}</span><span dir=ltr>{}</span></div>"
)
WHITE = "<body style=background:white>"
FADING = "from{opacity:0}to{opacity:1}"

HIDDEN = [
    _scoped("on", "off"),
    _styled("@scope(.off){@scope(b){i{opacity:0}}}i{opacity:1}", f"<div class=off><b><i>{WORDS}</i></b></div>"),
    _moving("from{opacity:0}to{opacity:0}", "8s -3s paused"),
    _moving("0%{opacity:1}50%{opacity:0}100%{opacity:1}", "8s -4s paused linear"),
    _moving("from{opacity:1}to{opacity:0}", "8s -9s paused both"),
    _moving(FADING, "8s infinite paused"),
    _moving(FADING, "90000s linear"),
    _moving(FADING, "8s 99s paused backwards"),
    _moving(FADING, "8s -8s 2 alternate-reverse paused"),
    *(
        _under(f'<iframe {{}}\' srcdoc="{page}"></iframe>')
        for page in (WHITE, "<style>html{{background:teal}}</style>")
    ),
    _under(f"<embed {{}}' src='data:text/html,{WHITE}'>"),
    _under("<i {};background:white;clip-path:inset(0)'></i>"),
    _under("<i {};backdrop-filter:blur(30px)'></i>"),
    _placed("position:absolute;top:0;margin-top:-90px"),
    _placed("position:absolute;top:-40px"),
    _placed("position:absolute;inset:-5em auto auto 0"),
    _placed("position:absolute;top:0;transform:translateY(-200%);margin:0"),
    _placed("position:absolute;top:0;left:0;transform:translateX(-100%)"),
    _placed("position:fixed;bottom:-80px"),
    _placed("position:relative;top:-100px"),
    _placed("margin-top:-130px"),
    _placed("position:absolute;top:0;translate:0 -100px", RELATIVE),
    BACKWARDS.format("one", WORDS),
    _styled(".z::highlight(a), .z{display:none}"),
    _styled(":state(a), .z{display:none}"),
    _beside(":read-only", "<input type=checkbox>"),
    _beside(":disabled", "<fieldset disabled><input></fieldset>"),
    _beside("input:indeterminate", "<input type=radio name=a>"),
    _beside("input:out-of-range", "<input type=date min=2020-01-01 value=2019-01-01>"),
    _beside(":read-write", "<div contenteditable>a</div>"),
    _styled("@keyframes 'go'{to{opacity:0}}.z{animation:'go' 1ms forwards}"),
    _styled(".z{position:relative;z-index:-1}html{background:white}body{background:white}"),
    _held("details::details-content{display:none}"),
    _held("details::details-content{opacity:0}"),
    _held("::details-content{height:0;overflow:hidden}"),
    _styled("::placeholder{opacity:0}", f"<input placeholder='{WORDS}'>"),
    _styled("textarea::placeholder{color:white}", f"<textarea placeholder='{WORDS}'></textarea>"),
    _styled("input::-webkit-input-placeholder{font-size:0}", f"<input placeholder='{WORDS}'>"),
    _beside("form:invalid", "<form><input required></form>"),
    _beside("fieldset:invalid", "<fieldset><select required><option value=''>a</select></fieldset>"),
    _beside("input:invalid", "<input type=email value=nobody>"),
    _beside("input:valid", "<input required value=a>"),
    _beside("form:valid", "<form><input></form>"),
    _beside("input:out-of-range", "<input type=number min=3 value=2>"),
    _beside("input:in-range", "<input type=number min=3 value=4>"),
    _beside("input:default", "<input type=checkbox checked>"),
    _beside("div:has(:invalid)", "<div><textarea required></textarea></div>"),
    _styled(".z{opacity:calc(pi - pi)}"),
    _styled(".z{opacity:calc(-infinity)}"),
    _styled(".z{opacity:calc(-1 / 0)}"),
    _styled(".z{opacity:progress(0, 0, 1)}"),
    _styled("@supports at-rule(@scope){.z{display:none}}"),
    _styled("body{@scope{.z{display:none}}}"),
    _styled("@function --f(){result:none}.z{display:--f()}"),
    _styled("@function --f(--share){result:calc(var(--share) - 1)}.z{opacity:--f(1)}"),
    _styled("@function --f(--share: 0){result:var(--share)}.z{opacity:--f()}"),
    _styled("@function --f(){--of:0;result:1;@media(width > 1px){result:var(--of)}}.z{opacity:--f()}"),
    _styled("@function --g(){result:0}@function --f(){result:--g()}.z{--x:--f();opacity:var(--x)}"),
]

SEEN = [
    _scoped("off", "on"),
    _styled("@scope(.off){p{opacity:0}}p.z{opacity:1}", f"<div class=off><p class=z>{WORDS}</p></div>"),
    _moving(FADING, "8s -5s paused linear"),
    _moving(FADING, "90000s -50000s linear"),
    _moving("0%{opacity:1}50%{opacity:0}100%{opacity:1}", "8s -8s paused both"),
    _moving(FADING, "8s 99s paused"),
    _moving(FADING, "8s -9s paused"),
    _under("<iframe {}' srcdoc='<p>a'></iframe>"),
    _under(f'<iframe {{}};opacity:0\' srcdoc="{WHITE}"></iframe>'),
    _under("<input type=checkbox {}'>"),
    _placed("position:absolute;top:-10px"),
    _placed("position:absolute;top:90px;margin-top:-90px"),
    _placed("position:absolute;top:0;transform:translateY(-10%)"),
    BACKWARDS.format(WORDS, "one"),
    _styled(":blank, .z{display:none}"),
    _styled(".z:not(){display:none}"),
    _beside("input:read-write", "<input type=checkbox>"),
    _beside("fieldset input:enabled, fieldset:has(input:enabled)", "<fieldset disabled><input></fieldset>"),
    _moving("to{opacity:0!important}", "1ms forwards"),
    _styled("body{height:0;overflow:hidden}"),
    _styled("html{height:0;overflow:hidden}"),
    _styled(".z{position:relative;z-index:-1}body{background:white}"),
    _held("details::details-content{opacity:.9}"),
    _held("details:not([open])::details-content{display:none}"),
    _styled("::placeholder{opacity:0}", f"<input placeholder=a value='{WORDS}'>"),
    _styled("::placeholder{color:gray}", f"<input placeholder='{WORDS}'>"),
    _beside("form:invalid", "<form><input required disabled></form>"),
    _beside("form:invalid", "<form><input required value=a></form>"),
    _beside("input:valid", "<input type=hidden>"),
    _beside("input:out-of-range", "<input type=number min=3>"),
    _styled(".z{opacity:calc(infinity)}"),
    _styled(".z{width:calc(1px * infinity)}"),
    _styled("@supports at-rule(@bogus){.z{display:none}}"),
    _styled("@function --f(){result:block}.z{display:--f()}"),
    _styled("@function --f(--share){result:var(--share)}.z{opacity:--f(1)}"),
    _styled(".z{display:--none()}"),
    _styled("@function --f(){result:--f()}.z{opacity:--f()}"),
]
