// Runs before the first paint, so that a chosen theme does not flash; the rest is in layout.js.
try {
  const chosen = JSON.parse(localStorage.getItem("spanwise.theme"));
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is refused, or holds something else: the system's colours it is.
}
// All modules at once, and not each when another one that needs it has come.
const modules =
  "actions announce answer api claims collections conversation dialogs documents dom doors figures " +
  "hidden history keyboard layout outline places question quotes route settings source source-pages " +
  "source-rows source-text state tables tabs uploads words";
for (const name of modules.split(" "))
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: `page/${name}.js` }));
