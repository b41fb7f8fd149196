// Keys, theme and dialogs.
function makeTheme() {
  const root = document.documentElement, button = document.getElementById("theme"), order = ["system", "light", "dark"];
  const set = (name) => {
    if (name === "system") delete root.dataset.theme;
    else root.dataset.theme = name;
    button.textContent = "theme: " + name;
    try { localStorage.setItem("assay-theme", name); } catch { /* a page opened from a file may have no storage */ }
  };
  let stored = null;
  try { stored = localStorage.getItem("assay-theme"); } catch { /* see above */ }
  set(order.includes(stored) ? stored : "system");
  const turn = () => set(order[(order.indexOf(root.dataset.theme || "system") + 1) % order.length]);
  button.addEventListener("click", turn);
  return turn;
}

function showReason(reason) {
  const template = document.querySelector(`template[data-reason="${CSS.escape(reason)}"]`);
  if (!template) return;
  const dialog = document.getElementById("page");
  dialog.querySelector("div").replaceChildren(template.content.cloneNode(true));
  dialog.showModal();
}

function makeKeys(views, act) {
  const objects = (v) => v.hunk.verdict === "NOT_PROVEN" || v.hunk.verdict === "INCONCLUSIVE";
  const current = () => views.find((v) => v.node.contains(document.activeElement));
  // step goes to the next hunk from the focused one, or from the top.
  const step = (by, wanted) => {
    const all = views.filter((v) => !v.node.hidden && (!wanted || wanted(v)) || v === current());
    const at = all.indexOf(current());
    const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (to) act.go(to);
  };
  const keys = {
    j: () => step(1), k: () => step(-1), n: () => step(1, objects), p: () => step(-1, objects),
    o: () => { const v = current(); if (v) act.evidence(v); },
    "/": () => document.getElementById("find").focus(), u: act.split, t: act.theme, "?": () => document.getElementById("keys").showModal(),
  };
  verdictNames.forEach((v, i) => { keys[String(i + 1)] = () => act.toggle(v); });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    if (e.target.matches("input, select, textarea")) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    const f = e.key === "Enter" && e.target.matches(".hunk") ? keys.o : keys[e.key];
    if (!f) return;
    e.preventDefault();
    f();
  });
  document.getElementById("help").addEventListener("click", keys["?"]);
}
