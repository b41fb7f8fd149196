// What stands behind a verdict, put in place when it is asked for.
function patch(text) {
  const pre = el("pre", { class: "patch", tabindex: "0", "aria-label": "Patch" });
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const kind = /^(\+\+\+|---|@@)/.test(line) ? "head" : line[0] === "+" ? "add" : line[0] === "-" ? "del" : "";
    pre.append(kind ? el("span", { class: kind }, line) : line, "\n");
  }
  return pre;
}

function runWords(run) {
  const red = run.red.length ? ", red: " + run.red.slice(0, 8).join(", ") + (run.red.length > 8 ? " and " + (run.red.length - 8) + " more" : "") : ", none red";
  return run.tests + (run.tests === 1 ? " test" : " tests") + red + ", " + run.seconds.toFixed(2) + " s" + (run.trouble ? ": " + run.trouble : "");
}

const purposes = {
  undo: "un-done", control: "a failure planted here, to see whether tests notice", confirm: "un-done once more, in the plain way",
  component: "un-done with the hunks it belongs to", hang: "alone, to see whether it hangs", head: "head itself", whole: "everything un-done", mutant: "a mutant of these lines",
};

function trialBox(data, trial, open) {
  const box = el("details", {}, el("summary", {}, (purposes[trial.purpose] || trial.purpose) + " · " + trial.tests + (trial.tests === 1 ? " test" : " tests") + " by " + (trial.basis || "none") + (trial.env ? ", under " + trial.env : "")));
  box.addEventListener("toggle", () => {
    if (!box.open || box.dataset.full) return;
    box.dataset.full = "yes";
    if (trial.patch >= 0) box.append(patch(data.patches[trial.patch]));
    box.append(el("ul", {}, ...trial.runs.map((r) => el("li", {}, runWords(r)))), replayLine(trial));
  });
  box.open = open;
  return box;
}

function replayLine(trial) {
  const code = el("code", {}, trial.replay);
  const button = el("button", { type: "button", on: { click: async () => {
    try {
      await navigator.clipboard.writeText(trial.replay);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code); // a page opened from a file may not write there
      button.textContent = "selected";
    }
  } } }, "copy");
  return el("p", { class: "replay" }, code, button);
}

function list(title, items) {
  if (!items || !items.length) return "";
  const all = items.slice(0, 50).map((i) => el("li", {}, i));
  if (items.length > 50) all.push(el("li", {}, "and " + (items.length - 50) + " more"));
  return [el("h3", {}, title), el("ul", {}, ...all)];
}

function unitTable(units) {
  if (!units || units.length < 2) return "";
  const rows = units.map((u) => el("tr", {}, ...u.map((text) => el("td", {}, text))));
  return [el("h3", {}, "Declarations"), el("div", { class: "scroll" }, el("table", { class: "units" }, ...rows))];
}

// fillEvidence is everything that the report holds of one hunk.
function fillEvidence(box, data, hunk, byID) {
  const parts = [];
  if (hunk.message) parts.push(el("h3", {}, "What the test said"), el("pre", { tabindex: "0" }, hunk.message));
  if (hunk.detail) parts.push(el("h3", {}, "In words"), el("pre", { tabindex: "0" }, hunk.detail));
  parts.push(list("Tests that notice", hunk.killers), unitTable(hunk.units));
  if (hunk.partners?.length) {
    parts.push(el("h3", {}, "Un-done together with"), el("ul", {}, ...hunk.partners.map((id) =>
      el("li", {}, el("a", { href: "#h-" + id }, byID.get(id)?.name || id)))));
  }
  parts.push(el("h3", {}, "Facts"), el("dl", {}, ...hunk.facts.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])));
  if (hunk.mutants) parts.push(el("h3", {}, "Mutants"), el("p", {}, hunk.mutants));
  for (const t of hunk.trials || []) if (hunk.survivors?.includes(t.id)) parts.push(trialBox(data, t, true));
  const others = (hunk.trials || []).filter((t) => !hunk.survivors?.includes(t.id));
  if (others.length) parts.push(el("h3", {}, "Trials"), ...others.map((t, i) => trialBox(data, t, i === 0 && hunk.verdict !== "PROVEN")));
  else parts.push(el("p", {}, "No test was run."));
  box.replaceChildren(...parts.flat().filter(Boolean));
}
