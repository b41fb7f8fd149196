// The page itself.
const data = JSON.parse(document.getElementById("data").textContent);
const byID = new Map(data.hunks.map((h) => [h.id, h]));
const views = [], sections = [];
let split = false;

// A diff is put in place when it comes near the part that is seen.
const near = new IntersectionObserver((entries) => {
  for (const e of entries) if (e.isIntersecting) fill(e.target.view);
}, { rootMargin: "800px" });

function fill(view) {
  if (view.filled) return;
  view.filled = true;
  near.unobserve(view.diff);
  fillDiff(view.diff, view.hunk.rows, split);
}

function toggleEvidence(view, open) {
  const show = open ?? view.evidence.hidden;
  if (show && !view.evidence.firstChild) fillEvidence(view.evidence, data, view.hunk, byID);
  view.evidence.hidden = !show;
  view.button.setAttribute("aria-expanded", String(show));
}

function hunkView(hunk) {
  const view = { hunk };
  view.diff = el("div", { class: "diff", style: "--rows: " + Math.min(hunk.rows.length, firstRows), role: "region", "aria-label": "Diff of " + hunk.name, tabindex: "0" });
  view.diff.view = view;
  view.evidence = el("div", { class: "evidence", id: "e-" + hunk.id, hidden: true });
  view.button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": "e-" + hunk.id, on: { click: () => toggleEvidence(view) } }, "evidence");
  view.node = el("article", { class: "hunk", id: "h-" + hunk.id, tabindex: "-1", "aria-label": hunk.verdict + " " + hunk.name, style: `--tint: var(--${hunk.verdict}); --wash: var(--${hunk.verdict}-bg)` },
    el("header", {}, el("span", { class: "badge" }, hunk.verdict), el("a", { href: "#h-" + hunk.id }, el("bdi", {}, hunk.name)),
      hunk.known ? el("span", { class: "known" }, "known") : "",
      el("span", { class: "why" }, el("button", { type: "button", class: "reason", on: { click: () => showReason(hunk.reason) } }, hunk.reason), hunk.why ? ": " + hunk.why : ""),
      el("span", { class: "acts" }, view.button)),
    hunk.rows.length ? view.diff : "", view.evidence);
  if (hunk.rows.length) near.observe(view.diff);
  return view;
}

function draw() {
  const main = document.getElementById("hunks"), nav = document.getElementById("files");
  let section;
  for (const hunk of data.hunks) {
    if (section?.file !== hunk.file) {
      const id = "f-" + sections.length, title = el("h2", { id }, el("bdi", {}, hunk.file), " ", el("small", {}, hunk.kind));
      section = { file: hunk.file, views: [], node: el("section", { class: "file", "aria-labelledby": id }, title) };
      const cut = hunk.file.lastIndexOf("/") + 1;
      section.link = el("a", { href: "#" + id, title: hunk.file }, el("span", { class: "name" }, el("bdi", {}, hunk.file.slice(cut)), " ", el("small", {}, el("bdi", {}, hunk.file.slice(0, cut)))));
      sections.push(section);
    }
    const view = hunkView(hunk);
    views.push(view);
    section.views.push(view);
    section.node.append(view.node);
  }
  for (const s of sections) {
    const counts = el("span");
    for (const v of verdictNames) {
      const n = s.views.filter((view) => view.hunk.verdict === v).length;
      if (n) counts.append(el("i", { style: `color: var(--${v})`, title: n + " " + v }, String(n)));
    }
    s.link.append(counts);
  }
  main.append(...sections.map((s) => s.node), el("p", { class: "empty", id: "none", hidden: true }, data.hunks.length ? "No hunk is left by these filters." : "Nothing differs between base and head."));
  nav.append(...sections.map((s) => s.link));
}

function drawHead() {
  const say = (id, text) => {
    const node = document.getElementById(id);
    node.hidden = !text;
    node.textContent = text;
  };
  say("repo", data.repo);
  say("range", data.base.slice(0, 12) + " .. " + data.head.slice(0, 12));
  say("lost", data.lost);
  say("compared", data.compared);
  say("made", "assay " + data.version + ", " + data.started + ", " + data.seconds.toFixed(1) + " s");
  const next = document.getElementById("next"), run = document.getElementById("run");
  next.hidden = !data.next.length;
  next.querySelector("dl").append(...data.next.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
  run.hidden = !data.run;
  run.querySelector("pre").textContent = data.run;
}

// What stays on top of the page covers as much of it as it is high.
function measureBar() {
  const bar = document.getElementById("filters");
  const height = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  document.documentElement.style.setProperty("--bar", height + "px");
}

drawHead();
draw();
drawProbes(data);
const filter = makeFilter(data, views, sections);

function go(view) {
  view.node.focus({ preventScroll: true });
  view.node.scrollIntoView({ block: "start" });
}

function toggleSplit() {
  split = !split;
  document.getElementById("split").setAttribute("aria-pressed", String(split));
  for (const view of views) {
    if (!view.filled) continue;
    view.filled = false;
    near.observe(view.diff);
  }
}
document.getElementById("split").addEventListener("click", toggleSplit);

// A link to a hunk shows it with its evidence, whatever the filters say.
function follow() {
  const view = views.find((v) => "#" + v.node.id === decodeURIComponent(location.hash));
  if (!view) return;
  filter.reveal(view);
  fill(view);
  toggleEvidence(view, true);
  go(view);
}
addEventListener("hashchange", follow);
new ResizeObserver(measureBar).observe(document.getElementById("filters"));
measureBar();

makeKeys(views, { go, evidence: toggleEvidence, split: toggleSplit, theme: makeTheme(), toggle: filter.toggle });
follow();
document.documentElement.dataset.ready = "yes";
