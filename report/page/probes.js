// Tests that arm a deadline, when they were probed.
const probeTint = { held: "PROVEN", late: "NOT_PROVEN", inconclusive: "INCONCLUSIVE" };

function drawProbes(data) {
  if (!data.probes.length) return;
  const section = document.getElementById("probes");
  section.hidden = false;
  section.append(el("h2", {}, "Probes"), ...data.probes.map((p) => el("article", { style: "--tint: var(--" + probeTint[p.verdict] + ")" },
    el("strong", {}, p.verdict), " ", el("code", {}, p.test), el("ul", {}, ...p.about.map((a) => el("li", {}, a))))),
  data.preloads ? el("pre", { tabindex: "0" }, data.preloads) : "");
}
