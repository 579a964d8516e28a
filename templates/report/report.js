// The report's one script. It asks nobody for anything, keeps nothing, and writes text by text nodes alone.
// State stands in the fragment: #case=ID&q=FILTER&view=run. Data stands in inert blocks: base64 of gzip of JSON.
(() => {
"use strict";
document.documentElement.dataset.script = "on";

// ---------------------------------------------------------------- elements
const byId = (id) => document.getElementById(id);
// What nobody sees: controls, marks of direction, joiners, lone surrogates. Joiners between pictures belong to them.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\ufff9-\ufffb]/u;
const EACH_HIDDEN = /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})[\u200d\ufe0e\ufe0f]|(?![\t\n\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;
const point = (letter) => "U+" + letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

function put(node, text) {
  if (!HIDDEN.test(text)) return node.append(text);
  let from = 0;
  for (const found of text.matchAll(EACH_HIDDEN)) {
    if (found.index > from) node.append(text.slice(from, found.index));
    const sign = document.createElement("span");
    sign.className = "sign";
    sign.textContent = point(found[0]);
    node.append(sign);
    from = found.index + found[0].length;
  }
  if (from < text.length) node.append(text.slice(from));
}

function el(name, set, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(set ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (key === "href" && !value.startsWith("#")) continue;
    else node.setAttribute(key === "cls" ? "class" : key, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    if (child instanceof Node) node.append(child);
    else put(node, String(child));
  }
  return node;
}
const own = (text) => el("bdi", null, text);
const many = (number, noun, more) => `${number.toLocaleString("en")} ${number === 1 ? noun : more ?? noun + "s"}`;

// ---------------------------------------------------------------- data
// The script runs while the browser still reads the texts of cases: a block is whole once something stands behind it.
async function arrived(name) {
  for (;;) {
    const node = byId(name);
    if (node && (node.nextSibling || document.readyState !== "loading")) return node;
    if (document.readyState !== "loading") throw new Error(`${name} is missing`);
    await new Promise((done) => setTimeout(done, 15));
  }
}

async function block(name) {
  const node = await arrived(name);
  const most = Number(node.dataset.bytes);
  const packed = node.textContent;
  let bytes;
  if (Uint8Array.fromBase64) bytes = Uint8Array.fromBase64(packed);
  else {
    const letters = atob(packed);
    bytes = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const whole = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > most) throw new Error(`${name} is larger than it says`);
    whole.set(value, length);
    length += value.length;
  }
  return JSON.parse(new TextDecoder().decode(whole.subarray(0, length)));
}

// The last sixteen blocks stay open.
const open = new Map();
function kept(name) {
  const found = open.get(name) ?? block(name);
  open.delete(name);
  open.set(name, found);
  if (open.size > 16) open.delete(open.keys().next().value);
  return found;
}

let meta;
const all = {}; // Columns of the index.
let order = []; // Numbers of the cases, worst first.
let numberOf = new Map();
let placeOf; // In the order of the suite -> rank.

async function load() {
  meta = await block("meta");
  const parts = await Promise.all(Array.from({ length: meta.blocks.index }, (_, number) => block(`index-${number}`)));
  for (const name of ["id", "q", "name", "s", "st", "c", "v", "w", "sl", "tag", "why"])
    all[name] = parts.length === 1 ? parts[0][name] : [].concat(...parts.map((columns) => columns[name]));
  all.id.forEach((id, number) => numberOf.set(id, number));
  const key = all.id.map((_, n) => all.s[n] * 10 + all.c[n] - all.w[n] / 1e6);
  order = all.id.map((_, n) => n).sort((a, b) => key[a] - key[b] || a - b);
  placeOf = new Int32Array(order.length);
  order.forEach((number, place) => (placeOf[number] = place));
}

// ---------------------------------------------------------------- words, signs, colours
const STATES = {
  failed: ["bad", "✕", "failed"], "not-blocked": ["bad", "✕", "not blocked"], unmeasured: ["open", "?", "unmeasured"],
  flaky: ["warn", "≈", "flaky"], waived: ["warn", "–", "waived"], passed: ["good", "✓", "passed"], blocked: ["good", "✓", "blocked"],
};
const VERDICTS = {
  contradicted: ["bad", "✕"], unsupported: ["bad", "∅"], partial: ["warn", "◐"], unverified: ["open", "?"], supported: ["good", "✓"],
};
const CHANGES = {
  regressed: ["bad", "↓", "regressed"], moved: ["warn", "→", "fails elsewhere"], failing: ["plain", "=", "failed before"],
  fixed: ["good", "↑", "fixed"], new: ["plain", "+", "new case"], edited: ["plain", "~", "case edited"], turned: ["plain", "~", "other outcome"], same: ["plain", "=", "unchanged"],
};
const GATES = { passed: ["good", "✓", "passed"], failed: ["bad", "✕", "failed"], unmeasured: ["open", "?", "unmeasured"], not_applicable: ["plain", "·", "not applicable"] };
const STAGES = { candidates: "Candidates", rerank_input: "To reranker", reranked: "Reranked", context: "In context" };
const tag = ([colour, sign, word], title) => el("span", { cls: `tag ${colour}`, title }, el("span", { "aria-hidden": "true" }, sign), word);
const verdictTag = (verdict) => tag([...VERDICTS[verdict], verdict]);
const stateOf = (n) => meta.states[all.s[n]];
const changeOf = (n) => meta.changes[all.c[n]];
const stageOf = (n) => meta.stages[all.st[n]] ?? "";
const titleOf = (n) => all.name[n] || all.q[n] || all.id[n];
const seconds = (ms) => (ms === undefined ? "" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

// ---------------------------------------------------------------- the fragment
function read() {
  const found = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  return { id: found.get("case"), q: found.get("q") ?? "", view: found.get("view") ?? "cases", claim: found.get("claim") };
}
function write({ id, q, view, claim }) {
  const parts = [["case", id], ["claim", id ? claim : null], ["q", q], ["view", view === "cases" ? "" : view]];
  return "#" + parts.filter(([, value]) => value).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
function go(change) {
  const now = write({ ...read(), ...change });
  if (now !== location.hash) history.pushState(null, "", now === "#" ? location.pathname + location.search : now);
  route();
}

// ---------------------------------------------------------------- filter
const FACETS = [
  { key: "v", name: "Outcome", values: () => meta.states, one: () => all.s, word: (value) => STATES[value][2] },
  { key: "c", get name() { return `Against the ${meta.base}`; }, values: () => (meta.compared ? meta.changes.slice(0, -1) : []), one: () => all.c, word: (value) => CHANGES[value]?.[2] ?? value },
  { key: "st", name: "First failed stage", values: () => meta.stages, one: () => all.st },
  { key: "cl", name: "Claims", values: () => meta.verdicts, mask: () => all.v },
  { key: "sl", name: "Slice", values: () => meta.slices, many: () => all.sl },
  { key: "tag", name: "Tag", values: () => meta.tags, many: () => all.tag },
];
const BITS = Array.from({ length: 32 }, (_, mask) => [0, 1, 2, 3, 4].filter((bit) => mask & (1 << bit)));
const ONES = Array.from({ length: 64 }, (_, value) => [value]);
const NONE = [];
// The values that a case has in a facet, by the case's number; no array is made for it.
function valuesIn(facet) {
  if (facet.many) {
    const lists = facet.many();
    return (n) => lists[n];
  }
  if (facet.mask) {
    const masks = facet.mask();
    return (n) => BITS[masks[n]];
  }
  const column = facet.one();
  return (n) => (column[n] < 0 ? NONE : ONES[column[n]]);
}
const TOKEN = /(!?)(?:(c|st|sl|v|cl|tag|id):)?("(?:[^"\\]|\\.)*"|\S+)/g;

function tokens(query) {
  const found = [];
  for (const [, not, key, raw] of query.matchAll(TOKEN)) {
    const value = raw.startsWith('"') && raw.length > 1 && raw.endsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, "$1") : raw;
    found.push({ not: !!not, key: key ?? "text", value: value.toLowerCase() });
  }
  return found;
}
const quoted = (value) => (/^[^\s"!][^\s"]*$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`);
const written = (token) => (token.not ? "!" : "") + (token.key === "text" ? "" : token.key + ":") + quoted(token.value);

let haystack;
const textOf = (n) => (haystack ??= all.id.map((id, i) => `${id}\n${all.name[i]}\n${all.q[i]}\n${all.why[i]}`.toLowerCase()))[n];

// Which values of a facet a word means: its name, else whatever holds it.
function meant(facet, word) {
  const values = facet.values().map((value) => value.toLowerCase());
  const exact = values.indexOf(word);
  if (exact >= 0) return [exact];
  const by = facet.word ? facet.values().map((value) => facet.word(value).toLowerCase()) : values;
  return values.flatMap((value, place) => (value.includes(word) || by[place].includes(word) ? [place] : []));
}

// Each test: null where the case passes it, so that a facet can be counted as if nothing of its own were chosen.
function compiled(query) {
  const asked = tokens(query);
  const facets = FACETS.map((facet) => {
    const mine = asked.filter((token) => token.key === facet.key || (facet.key === "cl" && token.key === "v" && !meant(FACETS[0], token.value).length));
    if (!mine.length) return null;
    const yes = new Set(mine.filter((token) => !token.not).flatMap((token) => meant(facet, token.value)));
    const no = new Set(mine.filter((token) => token.not).flatMap((token) => meant(facet, token.value)));
    const wants = mine.some((token) => !token.not && !(facet.key === "v" && !meant(facet, token.value).length && meant(FACETS[3], token.value).length));
    const of = valuesIn(facet);
    return (n) => {
      const has = of(n);
      return (!wants || has.some((value) => yes.has(value))) && !has.some((value) => no.has(value));
    };
  });
  const words = asked.filter((token) => token.key === "text" || token.key === "id");
  const text = words.length
    ? (n) => words.every(({ not, key, value }) => (key === "id" ? all.id[n].toLowerCase() : textOf(n)).includes(value) !== not)
    : null;
  return { facets, text };
}

function filtered(query) {
  const { facets, text } = compiled(query);
  const of = FACETS.map(valuesIn);
  const counts = FACETS.map((facet) => new Uint32Array(facet.values().length));
  const asked = facets.flatMap((test, f) => (test ? [f] : []));
  const found = [];
  for (let place = 0; place < order.length; place++) {
    const n = order[place];
    if (text && !text(n)) continue;
    let failed = -1;
    let failures = 0;
    for (let i = 0; i < asked.length && failures < 2; i++) if (!facets[asked[i]](n)) (failed = asked[i]), failures++;
    if (failures > 1) continue;
    if (!failures) found.push(n);
    else {
      const mine = of[failed](n);
      for (let i = 0; i < mine.length; i++) counts[failed][mine[i]]++;
    }
  }
  // What is found counts in every facet: a facet at a time, so that the one column is at hand.
  FACETS.forEach((facet, f) => {
    const count = counts[f];
    const column = facet.one?.();
    if (column) for (const n of found) column[n] >= 0 && count[column[n]]++;
    else for (const n of found) for (const value of of[f](n)) count[value]++;
  });
  return { found, counts };
}

let last = { query: null };
function results(query) {
  if (last.query === query) return last;
  const start = performance.now();
  last = { query, ...filtered(query) };
  performance.measure("filter", { start });
  return last;
}

// ---------------------------------------------------------------- the list
let list; // What the list is made of, while it is shown.

function showList(state) {
  const app = byId("app");
  if (!list || !list.root.isConnected) {
    const input = el("input", {
      type: "search", id: "query", "aria-label": "Filter the cases", autocomplete: "off", spellcheck: "false",
      placeholder: "Filter: words, or v:failed st:retrieval tag:smoke !x", on: { input: typed },
    });
    const facets = el("div");
    const box = el("details", { cls: "facets" }, el("summary", null, "Filter by facet"), facets);
    box.open = matchMedia("(min-width: 901px)").matches;
    const rows = el("div", { cls: "rows", role: "list", "aria-label": "Cases" });
    const status = el("p", { cls: "status", role: "status" });
    const root = el("section", { "aria-label": "All cases" },
      el("div", { cls: "find" }, el("div", { cls: "field" }, input, el("kbd", { "aria-hidden": "true" }, "/")),
        el("button", { cls: "button", type: "button", on: { click: () => go({ q: "" }) } }, "Clear")),
      el("div", { cls: "browse" }, box, el("div", null, status, rows)));
    list = { root, input, facets, rows, status, drawn: new Map() };
    app.replaceChildren(root);
  }
  if (list.input.value !== state.q) list.input.value = state.q;
  fill(state.q);
}

function typed() {
  const q = list.input.value;
  history.replaceState(null, "", write({ ...read(), q }) === "#" ? location.pathname + location.search : write({ ...read(), q }));
  fill(q);
}

function fill(query) {
  const { found, counts } = results(query);
  list.query = query;
  list.status.replaceChildren(query ? `${found.length.toLocaleString("en")} of ${many(all.id.length, "case")}` : many(all.id.length, "case") + ", worst first");
  list.rows.replaceChildren();
  list.drawn.clear();
  list.windowed = found.length > 60;
  list.rows.classList.toggle("windowed", list.windowed);
  list.rows.style.height = "";
  if (!found.length) {
    list.rows.append(el("p", { cls: "none" }, all.id.length ? "No case matches this filter." : "The run holds no case."));
  } else if (!list.windowed) list.rows.append(...found.map((n, place) => rowOf(n, place)));
  else {
    list.height = ROW[matchMedia("(max-width: 900px)").matches ? 1 : 0];
    list.rows.style.height = `${found.length * list.height}px`;
    draw();
  }
  requestAnimationFrame(() => drawFacets(query, counts));
}

// As the style sheet has it: wide, narrow.
const ROW = [66, 100];

function rowOf(n, place) {
  const state = stateOf(n);
  const change = changeOf(n);
  const why = all.why[n];
  const link = el("a", { cls: "row", href: write({ ...read(), id: all.id[n], claim: null, view: "cases" }), "data-place": place },
    el("span", { cls: "state" }, tag(STATES[state])),
    el("span", { cls: "title line" }, own(titleOf(n))),
    change !== "none" && change !== "same" ? tag(CHANGES[change]) : el("span"),
    el("span", { cls: "under line" }, el("span", { cls: "mono" }, own(all.id[n])), stageOf(n) && ` · ${stageOf(n)}`, why && [" · ", own(why)]));
  return el("div", { role: "listitem", "aria-setsize": last.found.length, "aria-posinset": place + 1 }, link);
}

// Of many rows only those near the window stand in the page.
function draw() {
  if (!list?.windowed || !list.root.isConnected) return;
  const top = -list.rows.getBoundingClientRect().top;
  const from = Math.max(0, Math.floor(top / list.height) - 5);
  const to = Math.min(last.found.length, Math.ceil((top + innerHeight) / list.height) + 5);
  for (const [place, node] of list.drawn)
    if ((place < from || place >= to) && !node.contains(document.activeElement)) node.remove(), list.drawn.delete(place);
  // Those that stand already keep their order: what is missing goes before the first that comes after it.
  let next = list.rows.firstChild;
  for (let place = from; place < to; place++) {
    while (next && Number(next.firstChild.dataset.place) < place) next = next.nextSibling;
    if (list.drawn.has(place)) continue;
    const node = rowOf(last.found[place], place);
    node.style.top = `${place * list.height}px`;
    list.rows.insertBefore(node, next);
    list.drawn.set(place, node);
  }
}

function drawFacets(query, counts) {
  if (!list || list.query !== query) return;
  const asked = tokens(query);
  const focused = list.facets.contains(document.activeElement) ? document.activeElement.dataset.token : null;
  const groups = FACETS.map((facet, f) => {
    const chosen = (value) => asked.some((token) => !token.not && token.key === facet.key && token.value === value.toLowerCase());
    const values = facet.values().map((value, place) => [value, counts[f][place]]).filter(([value, n]) => n || chosen(value));
    // One value that every case has tells nothing apart; one that some have does.
    const tellsNothing = values.length === 1 && values[0][1] === last.found.length;
    if (!values.length || (tellsNothing && facet.key !== "v" && !chosen(values[0][0]))) return null;
    if (facet.key === "sl" || facet.key === "tag") values.sort((a, b) => b[1] - a[1]);
    return el("fieldset", { cls: "facet" }, el("legend", null, facet.name), values.slice(0, 40).map(([value, n]) => {
      const token = { not: false, key: facet.key, value: value.toLowerCase() };
      return el("button", { type: "button", "aria-pressed": String(chosen(value)), "data-token": written(token), cls: n ? "" : "empty", on: { click: () => toggle(token) } },
        el("span", { cls: "label", title: value }, own(facet.word ? facet.word(value) : value)), el("span", { cls: "n" }, n.toLocaleString("en")));
    }));
  });
  list.facets.replaceChildren(...groups.filter(Boolean));
  if (focused) [...list.facets.querySelectorAll("button")].find((each) => each.dataset.token === focused)?.focus();
}

function toggle(token) {
  const asked = tokens(read().q);
  const place = asked.findIndex((each) => !each.not && each.key === token.key && each.value === token.value);
  if (place >= 0) asked.splice(place, 1);
  else asked.push(token);
  go({ q: asked.map(written).join(" ") });
}

// ---------------------------------------------------------------- word by word
const segmenter = globalThis.Intl?.Segmenter ? new Intl.Segmenter("en", { granularity: "word" }) : null;
const wordsOf = (text) => (segmenter ? Array.from(segmenter.segment(text), (each) => each.segment) : text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? []);
const MOST = 2000;

// What both begin and end with is set aside; between, the longest row of words that both have.
function changes(before, now) {
  let a = wordsOf(before);
  let b = wordsOf(now);
  if (a.length > MOST || b.length > MOST) {
    const sentences = (text) => text.match(/[^.!?\n]+[.!?]*\s*|[.!?\n]\s*/g) ?? [];
    [a, b] = [sentences(before).slice(0, MOST), sentences(now).slice(0, MOST)];
  }
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const width = y.length + 1;
  const table = new Uint16Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      table[i * width + j] = x[i] === y[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
  const parts = [];
  const add = (kind, word) => (parts.at(-1)?.kind === kind ? (parts.at(-1).text += word) : parts.push({ kind, text: word }));
  a.slice(0, start).forEach((word) => add("same", word));
  for (let i = 0, j = 0; i < x.length || j < y.length; ) {
    if (i < x.length && j < y.length && x[i] === y[j]) add("same", x[i++]), j++;
    else if (j >= y.length || (i < x.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) add("gone", x[i++]);
    else add("come", y[j++]);
  }
  a.slice(a.length - end).forEach((word) => add("same", word));
  return calmed(parts);
}

// A space or a lone short word that both have, between words that changed, joins them: so a phrase is read whole.
function calmed(parts) {
  const calm = [];
  let gone = "";
  let come = "";
  const settle = () => {
    if (gone) calm.push({ kind: "gone", text: gone });
    if (come) calm.push({ kind: "come", text: come });
    gone = come = "";
  };
  parts.forEach(({ kind, text }, place) => {
    const isBetween = place > 0 && place < parts.length - 1;
    if (kind === "gone") gone += text;
    else if (kind === "come") come += text;
    else if (isBetween && text.trim().length < 6 && !text.includes("\n")) (gone += text), (come += text);
    else settle(), calm.push({ kind, text });
  });
  settle();
  return calm;
}

const marked = (parts, leave) => parts.filter(({ kind }) => kind !== leave).map(({ kind, text }) =>
  kind === "same" ? text : el(kind === "gone" ? "del" : "ins", null, el("span", { cls: "sr" }, kind === "gone" ? " removed: " : " added: "), text, el("span", { cls: "sr" }, " ")));

// ---------------------------------------------------------------- a case
let shown; // The case that stands open.

async function showCase(state) {
  const app = byId("app");
  const n = numberOf.get(state.id);
  if (n === undefined) return showMissing(state);
  const detail = (await kept(`detail-${Math.floor(n / meta.perDetail)}`))[n % meta.perDetail];
  if (read().id !== state.id) return;
  const texts = new Map(await Promise.all((detail.ctx ?? []).filter((chunk) => chunk.x !== undefined).map(async (chunk) =>
    [chunk.id, (await kept(`texts-${Math.floor(chunk.x / meta.perTexts)}`))[chunk.x % meta.perTexts]])));
  if (read().id !== state.id) return;
  for (const gate of detail.gates ?? []) if (meta.gates[gate.g]) [gate.g, gate.lvl, gate.st, gate.mend] = meta.gates[gate.g];
  const claims = detail.claims ?? [];
  const named = claims.findIndex((claim) => claim.id === state.claim);
  const isWrong = new Set((detail.hall ?? []).map((each) => each.t));
  const badness = (claim, place) => (isWrong.has(claim.t) ? 0 : 10_000) + meta.verdicts.indexOf(claim.v) * 1000 + place;
  const worst = claims.map((claim, place) => [badness(claim, place), place]).sort((x, y) => x[0] - y[0])[0]?.[1] ?? -1;
  shown = { n, detail, texts, claims, chosen: named >= 0 ? named : worst };
  list = null;
  const main = el("article", { "aria-labelledby": "case-title" }, caseBar(state, n), caseHead(n, detail), whyCard(n, detail),
    el("div", { cls: "columns" }, el("div", { cls: "stack" }, answerCard(detail), claimsCard(), beforeCard(detail), othersCard(detail)),
      el("div", { cls: "stack" }, evidenceCard())));
  app.replaceChildren(main);
  choose(shown.chosen, named >= 0);
  // What is read first stands first; the rest follows once that is painted.
  requestAnimationFrame(() => setTimeout(() => {
    if (shown?.detail !== detail || !main.isConnected) return;
    if (detail.b !== undefined) drawChanges("words");
    main.append(
      el("div", { cls: "columns" }, el("div", { cls: "stack" }, gatesCard(detail), judgesCard(detail)),
        el("div", { cls: "stack" }, retrievalCard(detail), costCard(detail), versionsCard(detail))),
      el("div", { cls: "columns" }, el("div", { cls: "stack" }, repeatCard(detail)), el("div", { cls: "stack" }, yamlCard(detail))));
  }));
}

function showMissing(state) {
  const wanted = state.id.toLowerCase();
  const near = order.filter((n) => all.id[n].toLowerCase().includes(wanted.slice(0, 12)) || wanted.includes(all.id[n].toLowerCase())).slice(0, 5);
  list = shown = null;
  byId("app").replaceChildren(el("section", { cls: "card", "aria-label": "No such case" }, el("div", { cls: "body" },
    el("h1", null, "This run has no such case"), el("p", null, "It was asked for as ", el("code", null, state.id), "."),
    near.length > 0 && el("p", null, "Did you mean ", near.map((n, i) => [i > 0 && ", ", el("a", { href: write({ id: all.id[n], q: "" }) }, own(all.id[n]))]), "?"),
    el("p", null, el("a", { href: write({ q: state.q, view: "cases" }) === "#" ? "#view=cases" : write({ q: state.q }) }, "All cases")))));
}

function caseBar(state, n) {
  const found = results(state.q).found;
  const place = found.indexOf(n);
  const link = (word, other, key) => el("a", {
    cls: "button", href: other === undefined ? undefined : write({ ...state, id: all.id[other], claim: null }),
    "aria-disabled": other === undefined ? "true" : undefined, role: other === undefined ? "link" : undefined,
  }, word, el("kbd", { cls: "keys", "aria-hidden": "true" }, key));
  return el("nav", { cls: "case-bar", "aria-label": "Cases" },
    el("a", { cls: "button", href: write({ q: state.q }) === "#" ? "#view=cases" : write({ q: state.q }) }, "← All cases", el("kbd", { cls: "keys", "aria-hidden": "true" }, "Esc")),
    el("span", { cls: "place" }, place >= 0 ? `${(place + 1).toLocaleString("en")} of ${found.length.toLocaleString("en")}${state.q ? " that match" : ""}` : "not among the cases that match"),
    link("Previous", place > 0 ? found[place - 1] : undefined, "k"), link("Next", place >= 0 ? found[place + 1] : found[0], "j"));
}

function caseHead(n, detail) {
  const stage = stageOf(n);
  const change = changeOf(n);
  return el("header", { cls: "case-head" },
    el("p", { cls: "id" }, own(detail.id), ` · ${detail.file}:${detail.line}`),
    el("h1", { id: "case-title", tabindex: "-1" }, own(detail.name || detail.q || detail.id)),
    el("div", { cls: "tags" }, tag(STATES[stateOf(n)]), stage && el("span", { cls: "tag plain" }, stage),
      change !== "none" && tag(CHANGES[change]), detail.kind === "known_bad" && el("span", { cls: "tag plain" }, "known bad"),
      detail.expect === "abstain" && el("span", { cls: "tag plain" }, "should decline"),
      (detail.slices ?? []).filter((each) => !each.startsWith("tags=")).map((each) => el("a", { cls: "tag plain", href: write({ q: `sl:${quoted(each)}` }) }, own(each))),
      (detail.tags ?? []).map((each) => el("a", { cls: "tag plain", href: write({ q: `tag:${quoted(each)}` }) }, "#", own(each)))),
    detail.name && el("p", { cls: "question" }, own(detail.q)));
}

function whyCard(n, detail) {
  const state = stateOf(n);
  const stage = stageOf(n);
  const lines = [];
  for (const gate of detail.gates ?? []) {
    if (gate.k === "failed" && gate.st === stage) {
      lines.push(el("p", null, el("strong", null, `Fails at ${stage}`), gate.lvl === "block" ? ": " : " (only warns): ", own((gate.why ?? []).slice(0, 3).join("; "))));
      if (gate.mend) lines.push(el("p", { cls: "muted" }, `Repair first: ${gate.mend}.`));
    } else if (gate.k === "unmeasured" && state === "unmeasured") lines.push(el("p", null, el("strong", null, `Unmeasured: ${gate.g}`), ", ", own((gate.why ?? [])[0] ?? "")));
  }
  if (state === "failed" && !stage) lines.push(el("p", null, el("strong", null, "Failed"), ": none of its own gates fails; a gate on the run blocks for it."));
  if (detail.b_state && changeOf(n) !== "same") lines.push(el("p", null, `On the ${meta.base} this case ${detail.b_state === "passed" ? "passed" : detail.b_stage ? `failed at ${detail.b_stage}` : `was ${detail.b_state}`}.`));
  for (const each of detail.poorer ?? []) lines.push(el("p", null, el("strong", null, `Poorer than the ${meta.base}`), `: ${each.k.replaceAll("-", " ")} `, own(each.t), each.main && [` · ${meta.base}: “`, own(each.main), "”"], each.here && [" · now: “", own(each.here), "”"]));
  for (const each of detail.flags ?? []) lines.push(el("p", null, each));
  for (const each of detail.issues ?? []) lines.push(el("p", null, own(each)));
  if (detail.lacks) lines.push(el("p", null, "In the reference answer and not in this one: ", own(detail.lacks.join(", "))));
  if (detail.kind === "known_bad") lines.push(el("p", null, state === "blocked" ? `A known-bad answer, blocked at ${detail.blocked} as it must be.` : `A known-bad answer that must be blocked at ${detail.blocked}${state === "unmeasured" ? "" : ", and is not"}.`));
  const colour = STATES[state][0] === "bad" ? "bad" : lines.length && state !== "blocked" && state !== "passed" ? "warn" : "";
  return lines.length ? el("section", { cls: `why ${colour}`, "aria-label": "Why" }, lines) : null;
}

const card = (title, ...children) => el("section", { cls: "card" }, el("header", null, el("h2", null, title)), ...children);

function answerCard(detail) {
  const text = detail.a;
  const body = el("div", { cls: "body" });
  if (detail.trimmed) body.append(el("p", { cls: "muted" }, "This report is too large to hold the texts of this case; the run directory has them."));
  else if (text === undefined && detail.error) body.append(el("p", null, "No answer: ", own(detail.error)));
  else if (text === undefined) body.append(el("p", { cls: "muted" }, detail.noanswer ? `The answer is ${detail.noanswer}.` : detail.empty ? "An empty answer." : meta.texts === "ids" ? "Answer not stored: `texts: ids`." : "No answer was kept."));
  else {
    body.append(el("div", { cls: "prose", id: "answer", tabindex: "0", role: "region", "aria-label": "Answer" }));
    if (detail.cut) body.append(el("p", { cls: "cut" }, `✂ Cut here: ${many(detail.cut, "more character")}, which the run directory may hold.`));
  }
  return el("section", { cls: "card" }, el("header", null, el("h2", null, "Answer"), text !== undefined && el("span", { cls: "end" }, copyButton(text, "Copy"))), body);
}

// The answer as spans: where claims meet or overlap, the worst gives the colour and the click.
function drawAnswer() {
  const box = byId("answer");
  if (!box) return;
  const text = shown.detail.a;
  const placed = shown.claims.map((claim, place) => ({ claim, place })).filter(({ claim }) => claim.at);
  const edges = [...new Set([0, text.length, ...placed.flatMap(({ claim }) => claim.at)])].sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const [from, to] = [edges[i], edges[i + 1]];
    const over = placed.filter(({ claim }) => claim.at[0] <= from && claim.at[1] >= to)
      .sort((x, y) => meta.verdicts.indexOf(x.claim.v) - meta.verdicts.indexOf(y.claim.v));
    if (!over.length) { parts.push(text.slice(from, to)); continue; }
    const { claim, place } = over[0];
    const [colour, sign] = VERDICTS[claim.v];
    const isChosen = over.some((each) => each.place === shown.chosen);
    const ends = over.filter((each) => each.claim.at[1] === to);
    parts.push(el("span", { cls: `claim-text ${colour}${isChosen ? " chosen" : ""}`, title: claim.v, on: { click: () => choose(place, true) } },
      text.slice(from, to), ends.length > 0 && el("sup", { "aria-hidden": "true" }, ends.length > 1 ? VERDICTS[ends.at(-1).claim.v][1] : sign),
      ends.length > 0 && el("span", { cls: "sr" }, ` (${claim.v}) `)));
  }
  box.replaceChildren(el("bdi", null, parts));
}

function claimsCard() {
  if (!shown.claims.length) return null;
  const counts = meta.verdicts.map((verdict) => [verdict, shown.claims.filter((claim) => claim.v === verdict).length]).filter(([, n]) => n);
  return el("section", { cls: "card" },
    el("header", null, el("h2", null, "Claims"), el("span", { cls: "muted small" }, counts.map(([verdict, n]) => `${n} ${verdict}`).join(" · "))),
    el("ol", { cls: "claims", id: "claims" }, shown.claims.map(claimItem)));
}

function claimItem(claim, place) {
  const cites = claim.cit ?? [];
  const how = claim.how ? `decided by ${claim.how}` : "";
  const reasons = [...new Set((claim.f ?? []).map((found) => (found.advice ? "Advice: " : "") + found.r))];
  const more = [
    reasons.map((reason) => el("p", null, own(reason))),
    claim.n && !reasons.includes(claim.n) && el("p", null, own(claim.n)), claim.dissent && el("p", null, claim.dissent),
    claim.votes && el("p", null, own(claim.say)),
    claim.votes && el("ul", { cls: "votes" }, claim.votes.map((vote) => el("li", null, el("strong", null, own(vote.j)), verdictTag(vote.v),
      !vote.armed && el("span", { cls: "muted" }, "advises"), vote.id && el("code", null, vote.id), vote.q && el("span", null, "“", own(vote.q), "”"),
      (vote.n || vote.parts) && el("span", { cls: "note" }, own(vote.n ?? ""), (vote.parts ?? []).map(([span, verdict]) => [" “", own(span), `”: ${verdict}.`]))))),
  ];
  return el("li", null,
    el("button", { cls: "claim", type: "button", on: { click: () => choose(place, true) } }, verdictTag(claim.v), " ",
      isFalse(claim) && [el("span", { cls: "tag bad" }, "✕ counts as a hallucination"), " "],
      el("span", { cls: "muted small" }, how, how && " · ", cites.length ? ["cites ", own(cites.join(", "))] : "cites nothing"),
      el("span", { cls: "said" }, own(claim.t || claim.id))),
    more.flat(2).some(Boolean) && el("div", { cls: "claim-more" }, more));
}

const RELATIONS = {
  supported: ["good", "✓", "supports"], contradicted: ["bad", "✕", "speaks against"], unsupported: ["warn", "∅", "nearest, and does not say it"],
  partial: ["warn", "◐", "supports a part"], unverified: ["open", "?", "compared with"],
};

// What speaks for a claim or against it: a chunk, and its words or where they stand in it.
const isFalse = (claim) => (shown.detail.hall ?? []).some((each) => each.t === claim.t);
function passages(claim) {
  const found = [];
  const add = (how, id, more) => found.push({ id, how, colour: RELATIONS[how][0], ...more });
  const has = (id) => found.some((each) => each.id === id);
  if (claim.qid || claim.q) add(claim.v === "unverified" && isFalse(claim) ? "unsupported" : claim.v, claim.qid, { q: claim.q });
  for (const each of claim.f ?? []) if (each.id && (each.at || !has(each.id))) add(each.k === "conflict" ? "contradicted" : "unsupported", each.id, { at: each.at });
  for (const vote of claim.votes ?? []) if (vote.id && !found.some((other) => other.id === vote.id && other.q === vote.q)) add(vote.v, vote.id, { q: vote.q });
  for (const id of claim.by ?? []) if (!has(id)) add("supported", id);
  for (const each of shown.detail.hall ?? []) if (each.t === claim.t && each.id && !has(each.id)) add(claim.v === "supported" ? claim.v : claim.v === "contradicted" ? claim.v : "unsupported", each.id, { q: each.q });
  return found;
}

function evidenceCard() {
  return el("section", { cls: "card evidence", id: "evidence", tabindex: "0", "aria-label": "Evidence" },
    el("header", null, el("h2", null, "Evidence"), el("span", { cls: "muted small", id: "evidence-of" })), el("div", { id: "chunks" }));
}

function drawEvidence() {
  const box = byId("chunks");
  const claim = shown.claims[shown.chosen];
  const said = claim ? passages(claim) : [];
  const context = shown.detail.ctx ?? [];
  const every = shown.claims.map((each) => ({ each, found: passages(each) }));
  const known = new Set(context.map((chunk) => chunk.id));
  const far = [...new Set(every.flatMap(({ found }) => found.map((each) => each.id)))].filter((id) => id && !known.has(id));
  const chunks = [...context, ...far.map((id) => ({ id, far: true }))];
  byId("evidence-of").replaceChildren(claim ? `for claim ${shown.chosen + 1}, ${claim.v}` : "");
  const first = new Set(said.map((each) => each.id));
  // The chunks of the chosen claim first, then the others as the model saw them.
  const sorted = [...chunks.filter((chunk) => first.has(chunk.id)), ...chunks.filter((chunk) => !first.has(chunk.id))];
  box.replaceChildren(...sorted.map((chunk) => chunkView(chunk, said.filter((each) => each.id === chunk.id), every, context)));
  if (!chunks.length) box.append(el("p", { cls: "chunk muted" }, "The model was shown no chunk."));
  for (const each of said) if (!each.id && each.q) box.prepend(el("div", { cls: "chunk" }, el("blockquote", null, el("mark", { cls: each.colour }, own(each.q)))));
}

function chunkView(chunk, said, every, context) {
  const cited = shown.claims[shown.chosen]?.cit?.includes(chunk.id);
  const place = context.findIndex((each) => each.id === chunk.id);
  const head = el("h3", null, own(chunk.id), chunk.ver && el("span", { cls: "muted" }, chunk.ver), place >= 0 && el("span", { cls: "muted" }, `#${place + 1} in context`),
    chunk.far && el("span", { cls: "tag plain" }, "not in context"), cited && el("span", { cls: "tag plain" }, "cited"),
    said.length > 0 && tag(RELATIONS[said[0].how]));
  const text = shown.texts.get(chunk.id);
  const quotes = said.filter((each) => each.q);
  if (text !== undefined) return el("div", { cls: "chunk" }, head, el("div", { cls: "text" }, el("bdi", null, withMarks(text, said))));
  const others = [...new Set(every.flatMap(({ found }) => found.filter((each) => each.id === chunk.id && each.q).map((each) => each.q)))].filter((q) => !quotes.some((each) => each.q === q));
  return el("div", { cls: "chunk" }, head, quotes.map((each) => el("blockquote", null, el("mark", { cls: each.colour }, own(each.q)))),
    others.map((q) => el("blockquote", { cls: "muted" }, own(q))),
    el("p", { cls: "muted small" }, quotes.length || others.length ? "The rest of the text is not stored: " : "Text not stored: ", el("code", null, "texts: full")));
}

function withMarks(text, said) {
  const ranges = [];
  const points = said.some((each) => each.at) ? Array.from(text) : null;
  const unit = (at) => points.slice(0, at).join("").length;
  for (const each of said) {
    if (each.at) ranges.push([unit(each.at[0]), unit(each.at[1]), each.colour]);
    const from = each.q ? text.indexOf(each.q) : -1;
    if (from >= 0) ranges.push([from, from + each.q.length, each.colour]);
  }
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const parts = [];
  let from = 0;
  for (const [start, end, colour] of ranges) {
    if (end <= from) continue;
    if (start > from) parts.push(text.slice(from, start));
    parts.push(el("mark", { cls: colour }, text.slice(Math.max(start, from), end)));
    from = end;
  }
  return [...parts, text.slice(from)];
}

function choose(place, scroll) {
  shown.chosen = place;
  drawAnswer();
  drawEvidence();
  [...(byId("claims")?.children ?? [])].forEach((item, at) => {
    item.classList.toggle("chosen", at === place);
    item.firstChild.setAttribute("aria-pressed", String(at === place));
  });
  const mark = byId("chunks").querySelector("mark");
  const panel = byId("evidence");
  if (mark && panel.scrollHeight > panel.clientHeight) panel.scrollTop = Math.max(0, mark.getBoundingClientRect().top - panel.getBoundingClientRect().top + panel.scrollTop - 90);
  if (scroll) {
    const claim = shown.claims[place];
    if (claim) history.replaceState(null, "", write({ ...read(), claim: claim.id }));
    if (matchMedia("(max-width: 900px)").matches) (mark ?? panel).scrollIntoView({ block: "center" });
  }
}

function beforeCard(detail) {
  if (detail.b === undefined) return null;
  const name = meta.baseline && meta.baseline !== "baseline" ? meta.baseline : `the ${meta.base}`;
  const modes = [["words", "Word by word"], ["sides", "Side by side"], ["before", "Base only"]];
  return el("section", { cls: "card" },
    el("header", null, el("h2", null, "Against ", own(name)), el("span", { cls: "end" }, modes.map(([mode, word]) =>
      el("button", { cls: "button", type: "button", "data-mode": mode, "aria-pressed": String(mode === "words"), on: { click: () => drawChanges(mode) } }, word)))),
    el("div", { cls: "body" }, el("div", { cls: "prose", id: "changes", tabindex: "0", role: "region", "aria-label": `Answer of the ${meta.base}` })));
}

function drawChanges(mode) {
  const box = byId("changes");
  if (!box) return;
  const { a, b } = shown.detail;
  shown.mode = mode;
  shown.parts ??= changes(b, a ?? "");
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  if (mode === "before") box.replaceChildren(el("bdi", null, b || "An empty answer."));
  else if (a === b) box.replaceChildren(el("span", { cls: "muted" }, "The answer is the same, word for word."));
  else if (mode === "words") box.replaceChildren(el("bdi", null, marked(shown.parts)));
  else box.replaceChildren(el("div", { cls: "sides" }, el("div", null, el("h3", null, "Base branch"), el("bdi", null, marked(shown.parts, "come"))), el("div", null, el("h3", null, "Now"), el("bdi", null, marked(shown.parts, "gone")))));
}

function othersCard(detail) {
  if (!detail.asks) return null;
  return card(`Other answers (${detail.asks.length})`, el("div", { cls: "body" }, el("p", { cls: "muted" }, "The case was asked again; these answers stand beside the one above."),
    detail.asks.map((ask, i) => el("details", null, el("summary", null, `Answer ${i + 2}: ${ask.failed.length ? `fails ${many(ask.failed.length, "gate")}` : "fails nothing"}`),
      el("div", { cls: "inside" }, el("div", { cls: "prose", tabindex: "0" }, own(ask.a || "(empty or not kept)")), ask.failed.length > 0 && el("ul", null, ask.failed.map((each) => el("li", null, own(each)))))))));
}

function gatesCard(detail) {
  const gates = detail.gates ?? [];
  const rank = { failed: 0, unmeasured: 1, passed: 2 };
  const placeOfGate = (gate) => (gate.lvl === "off" ? 3 : rank[gate.k]);
  const told = gates.filter((gate) => gate.k !== "not_applicable").sort((x, y) => placeOfGate(x) - placeOfGate(y));
  const rest = gates.filter((gate) => gate.k === "not_applicable");
  const line = (gate) => el("tr", { cls: gate.k }, el("td", null, el("strong", null, gate.g), gate.lvl === "warn" && el("span", { cls: "muted" }, " only warns")),
    el("td", null, tag(gate.lvl === "off" ? ["plain", "–", "off"] : GATES[gate.k])), el("td", { cls: "number" }, gate.n ?? ""), el("td", { cls: "gate-why" }, (gate.why ?? []).map((each) => el("div", null, own(each)))));
  return card("Gates", el("div", { cls: "body flush wide gates", tabindex: "0", role: "region", "aria-label": "Gates" },
    el("table", null, el("thead", null, el("tr", null, ["Gate", "Outcome", "Count", "Why"].map((each) => el("th", { scope: "col" }, each)))), el("tbody", null, told.map(line)))),
  rest.length > 0 && el("div", { cls: "body" }, el("details", null, el("summary", null, `${rest.length} not applicable`), el("div", { cls: "inside" }, el("dl", { cls: "facts" }, rest.map((gate) => [el("dt", null, gate.g), el("dd", null, own((gate.why ?? []).join("; ")))]))))));
}

function judgesCard(detail) {
  if (!detail.judges && !detail.items) return null;
  return card("Judges", el("div", { cls: "body" }, detail.judges && el("ul", null, detail.judges.map((each) => el("li", null, own(each)))),
    (detail.items ?? []).map((item) => el("details", null, el("summary", null, own(item.t)), el("div", { cls: "inside" }, el("ul", null, item.under.map((each) => el("li", null, own(each)))))))));
}

function retrievalCard(detail) {
  const { stages, past, cited, required } = detail.ret ?? {};
  if (!stages) return null;
  const names = Object.keys(stages);
  const ranks = (ids) => new Map(ids.map((id, place) => [id, place + 1]));
  const now = Object.fromEntries(names.map((name) => [name, ranks(stages[name])]));
  const then = Object.fromEntries(Object.entries(past ?? {}).map(([name, ids]) => [name, ranks(ids)]));
  const lastStage = names.at(-1);
  const rank = (id) => now[lastStage].get(id) ?? 1000 + (now[names[0]].get(id) ?? 1000);
  const ids = [...new Set([...names.flatMap((name) => stages[name]), ...Object.values(past ?? {}).flat(), ...required])].sort((a, b) => rank(a) - rank(b));
  const move = (name, id) => {
    if (!then[name]) return null;
    const [was, is] = [then[name].get(id), now[name].get(id)];
    if (was === is) return null;
    if (was === undefined) return el("span", { cls: "muted" }, " new");
    if (is === undefined) return el("span", { cls: "down" }, ` gone, was ${was}`);
    return el("span", { cls: is < was ? "up" : "down" }, is < was ? ` ↑${was - is}` : ` ↓${is - was}`, el("span", { cls: "sr" }, ` from ${was}`));
  };
  const shownIds = ids.slice(0, 60);
  return card("Retrieval", el("div", { cls: "body flush wide", tabindex: "0", role: "region", "aria-label": "Retrieval" }, el("table", null,
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Chunk"), names.map((name) => el("th", { scope: "col" }, STAGES[name])), el("th", { scope: "col" }, "Use"))),
    el("tbody", null, shownIds.map((id) => el("tr", null, el("td", null, el("span", { cls: "mono" }, own(id))),
      names.map((name) => el("td", null, now[name].has(id) ? String(now[name].get(id)) : el("span", { cls: "muted" }, "–"), move(name, id))),
      el("td", null, required.includes(id) && el("span", { cls: now[lastStage].has(id) ? "tag good" : "tag bad" }, now[lastStage].has(id) ? "✓ required" : "✕ required"), " ", cited.includes(id) && el("span", { cls: "tag plain" }, "cited"))))))),
  ids.length > 60 && el("p", { cls: "body muted" }, `${ids.length - 60} more in traces.jsonl.`));
}

function costCard(detail) {
  const facts = [];
  const add = (name, value, before) => value && facts.push(el("dt", null, name), el("dd", null, value, before && el("span", { cls: "muted" }, ` · ${meta.base} ${before}`)));
  add("Answered in", seconds(detail.ms), seconds(detail.b_ms));
  for (const [name, ms] of Object.entries(detail.stage_ms ?? {})) add(name, seconds(ms));
  add("Cost", detail.cost !== undefined && `$${detail.cost.toFixed(5)}`, detail.b_cost !== undefined && `$${detail.b_cost.toFixed(5)}`);
  add("Tokens", detail.tokens && `${detail.tokens[0].toLocaleString("en")} in, ${detail.tokens[1].toLocaleString("en")} out`);
  add("Tools", detail.tools?.join(", "));
  return facts.length ? card("Cost and time", el("div", { cls: "body" }, el("dl", { cls: "facts" }, facts))) : null;
}

function versionsCard(detail) {
  const versions = detail.vers ?? [];
  if (!versions.length) return null;
  const moved = versions.filter((each) => each.length > 2);
  const line = ([key, now, before]) => [el("dt", null, own(key)), el("dd", null, before !== undefined && [el("del", null, own(before)), " → "], before === undefined ? own(now) : el("ins", null, own(now)))];
  return card("Versions", el("div", { cls: "body" }, el("p", { cls: "muted small" }, moved.length ? `${many(moved.length, "version")} changed since the ${meta.base}` : meta.compared ? "None is known to have changed" : ""),
    el("dl", { cls: "facts" }, [...moved, ...versions.filter((each) => each.length === 2)].map(line))));
}

const repeatCard = (detail) => detail.repeat && el("section", { cls: "card" }, el("header", null, el("h2", null, "Run this case again"), el("span", { cls: "end" }, copyButton(detail.repeat, "Copy"))), el("div", { cls: "body" }, el("pre", null, detail.repeat)));
const yamlCard = (detail) => el("section", { cls: "card" }, el("header", null, el("h2", null, "The case as YAML"), el("span", { cls: "end" }, copyButton(detail.yaml, "Copy"))), el("div", { cls: "body" }, el("details", null, el("summary", null, "Show"), el("div", { cls: "inside" }, el("pre", { tabindex: "0" }, detail.yaml)))));

function copyButton(text, word) {
  const button = el("button", { cls: "button", type: "button" }, word);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Cannot copy here";
    }
    setTimeout(() => (button.textContent = word), 1500);
  });
  return button;
}

// ---------------------------------------------------------------- views
let scrolled = 0;
let before = null;

async function route() {
  const state = read();
  const isCase = state.id !== null && state.id !== "";
  const view = isCase ? "case" : state.view === "run" ? "run" : "cases";
  if (before?.view === "cases" && view !== "cases") scrolled = scrollY;
  byId("overview").hidden = view === "case";
  byId("run").hidden = view !== "run";
  byId("app").hidden = view === "run";
  for (const link of byId("views").children) link.toggleAttribute("aria-current", false);
  const current = [...byId("views").children].find((link) => link.dataset.view === view);
  current?.setAttribute("aria-current", "page");
  if (view === "case") await showCase(state);
  else if (view === "cases") showList(state);
  const moved = before && (before.view !== view || before.id !== state.id);
  if (moved || (!before && view === "case")) scrollTo(0, view === "cases" && before?.view === "case" ? scrolled : 0);
  if (moved && view === "case") byId("case-title")?.focus({ preventScroll: true });
  if (view === "cases" && before?.view === "case" && before.id) {
    draw();
    list.root.querySelector(`a[href="${CSS.escape(write({ ...state, id: before.id }))}"]`)?.focus({ preventScroll: true });
  }
  const name = view === "case" ? `${state.id} · ${meta.suite}` : `${byId("decision").textContent.trim()} · ${meta.suite}`;
  document.title = name;
  before = { view, id: state.id };
}

function move(step) {
  const state = read();
  const found = results(state.q).found;
  if (state.id) {
    const next = found[found.indexOf(numberOf.get(state.id)) + step];
    if (next !== undefined) go({ id: all.id[next], claim: null });
    return;
  }
  if (state.view === "run") return go({ view: "cases" });
  const here = Number(document.activeElement?.dataset?.place ?? (step > 0 ? -1 : 1));
  const place = Math.min(Math.max(here + step, 0), found.length - 1);
  if (list.windowed) {
    const top = list.rows.getBoundingClientRect().top + place * list.height;
    if (top < 70 || top + list.height > innerHeight) scrollBy(0, top - innerHeight / 2);
    draw();
  }
  const row = list.rows.querySelector(`[data-place="${place}"]`);
  row?.focus();
}

function help() {
  const keys = [["j / k", "next, previous case"], ["Enter", "open the case"], ["Esc", "back to the list"], ["/", "filter"], ["d", "another form of the difference"], ["t", "light, dark"], ["?", "this help"]];
  const words = [["v:failed", "outcome: failed, unmeasured, flaky, waived, passed"], ["c:regressed", `against the ${meta.base}: regressed, moved, failing, fixed, new, edited, turned, same`],
    ["st:retrieval", "first failed stage"], ["cl:contradicted", "a claim with this verdict"], ["sl:category=x", "slice"], ["tag:smoke", "tag"], ["refund \"30 days\"", "words of id, name, question or reason"], ["!x", "not x"]];
  const dialog = el("dialog", { "aria-labelledby": "help-title" }, el("h2", { id: "help-title" }, "Keys and filter"),
    el("dl", { cls: "facts" }, keys.map(([key, what]) => [el("dt", null, el("kbd", null, key)), el("dd", null, what)])),
    el("h3", null, "In the filter: several of one kind mean any of them, several kinds mean all of them"),
    el("dl", { cls: "facts" }, words.map(([word, what]) => [el("dt", null, el("code", null, word)), el("dd", null, what)])),
    el("p", { cls: "more" }, "Every view has its own address: copy it from the address bar."),
    el("form", { method: "dialog" }, el("button", { cls: "button", type: "button", on: { click: (event) => event.target.closest("dialog").close() } }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input")) {
    if (event.key === "Escape") event.target.blur();
    else if (event.key === "ArrowDown") move(1);
    else return;
    return event.preventDefault();
  }
  const acts = {
    j: () => move(1), k: () => move(-1), "/": () => (read().id || read().view === "run" ? go({ id: null, view: "cases" }) : null, byId("query")?.focus()),
    "?": help, t: theme, Escape: () => read().id && go({ id: null, claim: null }),
    d: () => shown && read().id && drawChanges({ words: "sides", sides: "before", before: "words" }[shown.mode] ?? "words"),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
}

async function start() {
  try {
    await load();
  } catch (error) {
    byId("app").replaceChildren(el("p", { cls: "notice" }, `The list of cases could not be read in this browser: ${error.message}`));
    return;
  }
  const views = byId("views");
  views.hidden = false;
  views.append(el("a", { href: "#view=cases", "data-view": "cases" }, "Cases", el("span", { cls: "n" }, meta.cases.toLocaleString("en"))),
    el("a", { href: "#view=run", "data-view": "run" }, "Gates, slices and the run"));
  byId("tools").append(el("button", { cls: "button", type: "button", on: { click: theme } }, "Light / dark"),
    el("button", { cls: "button", type: "button", "aria-label": "Keys and filter", on: { click: help } }, "?"));
  addEventListener("hashchange", route);
  addEventListener("keydown", pressed);
  addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", () => list?.windowed && list.root.isConnected && fill(list.query));
  await route();
  document.documentElement.dataset.ready = "yes";
  // While nobody waits: what the first word in the filter is looked for in.
  (globalThis.requestIdleCallback ?? setTimeout)(() => textOf(0));
}
start();
})();
