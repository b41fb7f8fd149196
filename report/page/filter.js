// Which hunks are shown.
const verdictNames = ["NOT_PROVEN", "INCONCLUSIVE", "PROVEN", "NOTHING_TO_PROVE"];

function haystack(h) {
  return [h.name, h.old, h.reason, h.verdict, h.why, h.kind, h.id, ...(h.killers || []), ...(h.units || []).map((u) => u[0])].join("\n").toLowerCase();
}

function makeFilter(data, views, sections) {
  const count = {}, buttons = {};
  for (const h of data.hunks) count[h.verdict] = (count[h.verdict] || 0) + 1;
  const box = document.getElementById("verdicts");
  for (const v of verdictNames) {
    buttons[v] = el("button", { type: "button", "aria-pressed": "true", style: "--tint: var(--" + v + ")", on: { click: () => toggle(v) } }, v + " " + (count[v] || 0));
    box.append(buttons[v]);
  }
  const kind = document.getElementById("kind"), find = document.getElementById("find"), fresh = document.getElementById("fresh");
  for (const k of [...new Set(data.hunks.map((h) => h.kind))]) kind.append(el("option", {}, k));
  document.getElementById("newonly").hidden = !data.compared;
  const pressed = (v) => buttons[v].getAttribute("aria-pressed") === "true";

  function apply() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const view of views) {
      const h = view.hunk;
      view.text ||= haystack(h);
      const on = pressed(h.verdict) && (!kind.value || h.kind === kind.value) && !(fresh.checked && h.known) && words.every((w) => view.text.includes(w));
      view.node.hidden = !on;
      n += on;
    }
    for (const s of sections) {
      s.node.hidden = s.views.every((v) => v.node.hidden);
      s.link.hidden = s.node.hidden;
    }
    document.getElementById("shown").textContent = n + " of " + views.length + " hunks";
    document.getElementById("none").hidden = n > 0;
  }
  function toggle(v) {
    buttons[v].setAttribute("aria-pressed", String(!pressed(v)));
    apply();
  }
  // reveal takes away whatever hides a hunk that somebody links to.
  function reveal(view) {
    if (!view.node.hidden) return;
    if (!pressed(view.hunk.verdict)) toggle(view.hunk.verdict);
    kind.value = find.value = "";
    fresh.checked = false;
    apply();
  }
  for (const input of [kind, find, fresh]) input.addEventListener("input", apply);
  document.getElementById("filters").addEventListener("submit", (e) => e.preventDefault());
  apply();
  return { toggle, reveal };
}
