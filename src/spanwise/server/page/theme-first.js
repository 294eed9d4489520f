// Runs before the first paint, so that a chosen theme does not flash; the rest is in theme.js.
try {
  const chosen = localStorage.getItem("spanwise.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is refused: the system's colours it is.
}
