// Building blocks, and the diff of a hunk. Text is only ever set as text.
function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (key === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (key === "class") node.className = value;
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== undefined && c !== null && c !== ""));
  return node;
}

// coloured is the text of a row with a span for each run of a class.
function coloured(row) {
  const cell = el("td", { class: "code" });
  if (!row.h) {
    cell.textContent = row.t;
    return cell;
  }
  let at = 0;
  for (const [, kind, n] of row.h.matchAll(/([a-z_])(\d+)/g)) {
    const text = row.t.slice(at, at + Number(n));
    at += Number(n);
    cell.append(kind === "_" ? text : el("span", { class: kind }, text));
  }
  cell.append(row.t.slice(at));
  return cell;
}

const sideOf = { "+": "plus", "-": "minus" };

function unifiedRow(row) {
  return el("tr", { class: sideOf[row.m] || "" },
    el("td", { class: "no" }, row.o ? String(row.o) : ""), el("td", { class: "no" }, row.n ? String(row.n) : ""),
    el("td", { class: "mark" }, row.m), coloured(row));
}

function half(row, number) {
  if (!row) return [el("td", { class: "no" }), el("td", { class: "mark" }), el("td", { class: "code" })];
  const cells = [el("td", { class: "no" }, number ? String(number) : ""), el("td", { class: "mark" }, row.m), coloured(row)];
  if (sideOf[row.m]) for (const c of cells) c.classList.add(sideOf[row.m]);
  return cells;
}

// pairs puts old lines beside new ones.
function pairs(rows) {
  const out = [];
  for (let i = 0; i < rows.length;) {
    if (rows[i].m !== "-" && rows[i].m !== "+") {
      out.push([rows[i], rows[i]]);
      i++;
      continue;
    }
    const old = [], neu = [];
    for (; i < rows.length && (rows[i].m === "-" || rows[i].m === "+"); i++) (rows[i].m === "-" ? old : neu).push(rows[i]);
    for (let j = 0; j < Math.max(old.length, neu.length); j++) out.push([old[j], neu[j]]);
  }
  return out;
}

const firstRows = 400, moreRows = 2000;

// fillDiff puts the rows of a hunk in place; a long one by parts.
function fillDiff(box, rows, split) {
  const lines = split ? pairs(rows) : rows;
  const body = el("tbody");
  const add = (from, to) => {
    const part = document.createDocumentFragment();
    for (const l of lines.slice(from, to)) part.append(split ? el("tr", {}, ...half(l[0], l[0]?.o), ...half(l[1], l[1]?.n)) : unifiedRow(l));
    body.append(part);
  };
  let shown = Math.min(lines.length, firstRows);
  add(0, shown);
  box.replaceChildren(el("table", { role: "presentation" }, body));
  box.classList.toggle("split", split);
  box.style.setProperty("--rows", shown);
  if (shown === lines.length) return;
  const label = () => "show " + Math.min(moreRows, lines.length - shown) + " of " + (lines.length - shown) + " more lines";
  const more = el("button", { class: "more", type: "button", on: { click: () => {
    const to = Math.min(lines.length, shown + moreRows);
    add(shown, to);
    shown = to;
    if (shown === lines.length) more.remove();
    else more.textContent = label();
  } } }, label());
  box.append(more);
}
