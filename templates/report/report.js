// The report's one script. It asks nobody for anything, keeps nothing, and writes text by text nodes alone.
// The list stands in the page; the cases stand in inert blocks as they are stored: base64 of gzip of JSON.
// State stands in the fragment: #case=ID&q=WORDS&s=STATE&sl=SLICE&view=run.
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
    node.append(text.slice(from, found.index), el("span", { class: "sign" }, point(found[0])));
    from = found.index + found[0].length;
  }
  node.append(text.slice(from));
}

function el(name, set, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(set ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "click") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    if (child instanceof Node) node.append(child);
    else put(node, String(child));
  }
  return node;
}
const own = (text) => el("bdi", null, text);
const many = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const tag = ([colour, sign, word]) => el("span", { class: `tag ${colour}` }, el("span", { "aria-hidden": "true" }, sign), word);
const card = (title, ...children) => el("section", { class: "card" }, el("header", null, el("h2", null, title)), ...children);
const listed = (title, found) => found.length > 0 && card(title, el("div", { class: "body" }, el("ul", null, found.map((each) => el("li", null, each)))));

// ---------------------------------------------------------------- data
// The script runs while the browser still reads the blocks: one is whole once something stands behind it.
async function arrived(name) {
  while (!byId(name)?.nextSibling) {
    if (document.readyState !== "loading") throw new Error(`${name} is missing`);
    await new Promise((done) => setTimeout(done, 15));
  }
  return byId(name);
}
const bytesIn = (node) => Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0));
async function block(name) {
  return new Response(new Blob([bytesIn(await arrived(name))]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
const opened = new Map();
const kept = (name) => opened.get(name) ?? opened.set(name, block(name)).get(name);
// An entry of a kind by its number; a text that stands in many cases is such a number.
const entry = async (kind, number, each) => (await kept(`${kind}-${Math.floor(number / each)}`))[number % each];
const textOf = (text) => (typeof text === "number" ? entry("text", text, about.perText) : text);

let about;
let rows = []; // Every row of the list, the worst first.
let found = []; // Those that the filter leaves.
const rowOf = new Map();
const idOf = (row) => decodeURIComponent(row.getAttribute("href").slice(6));

// ---------------------------------------------------------------- the fragment
function read() {
  const at = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  return { id: at.get("case"), q: at.get("q") ?? "", s: at.get("s") ?? "", sl: at.get("sl") ?? "", view: at.get("view") ?? "" };
}
function write({ id, q, s, sl, view }) {
  const parts = [["case", id], ["q", q], ["s", s], ["sl", sl], ["view", view]].filter(([, value]) => value);
  return "#" + parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
const go = (change) => { location.hash = write({ ...read(), ...change }); };
const listAddress = () => { const to = write({ ...read(), id: null, view: "" }); return to === "#" ? "#cases" : to; };

// ---------------------------------------------------------------- the list
function filter({ q, s, sl }) {
  const start = performance.now();
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const slice = sl ? String(about.slices.indexOf(sl)) : "";
  const counts = {};
  found = [];
  for (const row of rows) {
    row.words ??= words.length ? row.textContent.toLowerCase() : undefined;
    let fits = words.every((word) => row.words.includes(word)) && (!slice || (row.dataset.sl ?? "").split(" ").includes(slice));
    if (fits) counts[row.dataset.s] = (counts[row.dataset.s] ?? 0) + 1;
    fits &&= !s || row.dataset.s === s;
    if (row.hidden === fits) row.hidden = !fits;
    if (fits) found.push(row);
  }
  for (const chip of byId("states").children) {
    const number = chip.dataset.s ? counts[chip.dataset.s] ?? 0 : Object.values(counts).reduce((a, b) => a + b, 0);
    chip.setAttribute("aria-pressed", String(chip.dataset.s === s));
    chip.lastChild.textContent = number.toLocaleString("en");
  }
  byId("status").replaceChildren(q || s || sl ? `${found.length.toLocaleString("en")} of ` : "", many(rows.length, "case"), q || s || sl ? "" : ", worst first");
  performance.measure("filter", { start });
}

function listTools() {
  const input = el("input", { type: "search", id: "query", "aria-label": "Words in the list", autocomplete: "off", spellcheck: "false", placeholder: "Filter by words" });
  input.addEventListener("input", () => { history.replaceState(null, "", write({ ...read(), q: input.value }) || "#"); filter(read()); });
  const chip = (state, label) => el("button", { class: "button", type: "button", "data-s": state, click: () => go({ s: state === read().s ? "" : state }) }, label, el("span", { class: "n" }));
  const words = new Map(rows.map((row) => [row.dataset.s, row.firstElementChild.textContent]));
  const choice = el("select", { id: "slice", "aria-label": "Slice" }, el("option", { value: "" }, "All slices"), about.slices.map((name) => el("option", { value: name }, name)));
  choice.addEventListener("change", () => go({ sl: choice.value }));
  byId("find").append(el("div", { class: "field" }, input, el("kbd", { "aria-hidden": "true" }, "/")), about.slices.length > 0 && choice || "",
    el("div", { class: "tags", id: "states", role: "group", "aria-label": "State" }, chip("", "all"), [...words].map(([state, word]) => chip(state, word))));
  byId("find").hidden = false;
}

// Without a script the open cases stand in the page; with one every row leads to its case.
function readList() {
  for (const details of document.querySelectorAll("#rows > details")) {
    const row = details.firstElementChild;
    const link = el("a", { class: "row", href: row.dataset.href });
    Object.assign(link.dataset, row.dataset);
    link.append(...row.childNodes);
    details.replaceWith(link);
  }
  rows = [...byId("rows").children];
  for (const row of rows) rowOf.set(idOf(row), row);
}

// ---------------------------------------------------------------- word by word
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const wordsOf = (text) => Array.from(segmenter.segment(text), (each) => each.segment);
const MOST = 2000;

// What both begin and end with is set aside; between, the longest row of words that both have.
function changes(before, now) {
  const [a, b] = [wordsOf(before).slice(0, MOST), wordsOf(now).slice(0, MOST)];
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
  const parts = [a.slice(0, start).join("")];
  let [gone, come] = ["", ""];
  const settle = () => {
    if (gone) parts.push(el("del", null, el("span", { class: "sr" }, " removed: "), gone));
    if (come) parts.push(el("ins", null, el("span", { class: "sr" }, " added: "), come));
    [gone, come] = ["", ""];
  };
  for (let i = 0, j = 0; i < x.length || j < y.length; ) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      // A space or a lone short word between words that changed joins them: so a phrase is read whole.
      let same = "";
      while (i < x.length && j < y.length && x[i] === y[j]) (same += x[i++]), j++;
      if ((gone || come) && same.trim().length < 6 && !same.includes("\n")) (gone += same), (come += same);
      else settle(), parts.push(same);
    } else if (j >= y.length || (i < x.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) gone += x[i++];
    else come += y[j++];
  }
  settle();
  parts.push(a.slice(a.length - end).join(""));
  return parts;
}

// ---------------------------------------------------------------- a case
const VERDICTS = {
  contradicted: ["bad", "✕"], unsupported: ["bad", "∅"], partial: ["warn", "◐"], unverified: ["open", "?"], supported: ["good", "✓"],
};
const WORST = Object.keys(VERDICTS);
const OUTCOMES = { failed: ["bad", "✕", "failed"], unmeasured: ["open", "?", "not measured"], passed: ["good", "✓", "passed"] };
const RELATIONS = {
  supported: ["good", "✓", "supports"], contradicted: ["bad", "✕", "speaks against"], unsupported: ["warn", "∅", "nearest, and does not say it"],
  partial: ["warn", "◐", "supports a part"], unverified: ["open", "?", "compared with"],
};
const STAGES = { candidates: "Candidates", rerank_input: "To reranker", reranked: "Reranked", context: "In context" };
const verdictTag = (verdict) => tag([...VERDICTS[verdict], verdict]);
// A place in a text as stored, in a browser's units.
const unit = (text, at) => (/^[\x00-\x7f]*$/.test(text) ? at : Array.from(text).slice(0, at).join("").length);

let shown; // The case that stands open.

async function showCase(id) {
  const row = rowOf.get(id);
  if (!row) return byId("app").replaceChildren(el("p", { class: "notice", id: "case-title", tabindex: "-1" }, "This run has no such case: ", own(id)));
  const [run, trace, beside] = await entry("case", Number(row.dataset.n), about.perCase);
  const answer = run && await answerOf(run, trace);
  const context = run && run.context.map((chunk, at) => ({ id: chunk, version: run.context_versions?.[at] }));
  for (const chunk of trace?.withheld ? [] : trace?.context ?? [])
    for (const known of context) if (chunk.text !== undefined && known.id === chunk.chunk_id) known.text = await textOf(chunk.text);
  if (read().id !== id) return;
  const bar = caseBar(row);
  if (!run) return byId("app").replaceChildren(bar, el("h1", { id: "case-title", tabindex: "-1" }, own(id)),
    el("p", { class: "notice" }, "This report is too large to hold the texts of this case; the run directory has them."));
  const claims = run.claims.map((claim) => ({ ...claim, at: answer && claim.end !== undefined && claim.start !== undefined && [unit(answer, claim.start), unit(answer, claim.end)],
    isFalse: run.hallucinations.some((each) => each.text === claim.text) }));
  const badness = (claim) => (claim.isFalse ? 0 : 10) + WORST.indexOf(claim.verdict);
  shown = { run, answer, claims, context, chosen: claims.length ? claims.indexOf([...claims].sort((a, b) => badness(a) - badness(b))[0]) : -1 };
  byId("app").replaceChildren(el("article", { "aria-labelledby": "case-title" }, bar, caseHead(row, run), leadCard(row, run, beside.lead ?? []),
    el("div", { class: "columns" },
      el("div", { class: "stack" }, answerCard(run, trace), beforeCard(run, beside.before), claimsCard()), el("div", { class: "stack" }, evidenceCard())),
    el("div", { class: "columns" },
      el("div", { class: "stack" }, gatesCard(run, beside.words ?? {}), othersCard(run), judgesCard(run)),
      el("div", { class: "stack" }, retrievalCard(run, trace), costCard(run, trace), repeatCard(id)))));
  choose(shown.chosen);
}

// The answer, whole where the trace has it.
async function answerOf(run, trace) {
  if (run.answer === undefined || !trace || trace.withheld) return run.answer;
  const whole = await textOf(typeof trace.answer === "string" ? trace.answer : trace.answer?.text ?? "");
  return whole.startsWith(run.answer) ? whole : run.answer;
}

function caseBar(row) {
  const place = found.indexOf(row);
  const link = (word, other, key) => el("a", { class: "button", href: other && write({ ...read(), id: idOf(other) }), "aria-disabled": !other && "true", role: !other && "link" },
    word, el("kbd", { class: "keys", "aria-hidden": "true" }, key));
  const where = place < 0 ? "not among the cases that match" : `${(place + 1).toLocaleString("en")} of ${found.length.toLocaleString("en")}${found.length < rows.length ? " that match" : ""}`;
  return el("nav", { class: "case-bar", "aria-label": "Cases" },
    el("a", { class: "button", href: listAddress() }, "← All cases", el("kbd", { class: "keys", "aria-hidden": "true" }, "Esc")),
    el("span", { class: "place" }, where), link("Previous", found[place - 1], "k"), link("Next", found[place + 1], "j"));
}

function caseHead(row, run) {
  const plain = (word) => el("span", { class: "tag plain" }, word);
  return el("header", { class: "case-head" },
    el("p", { class: "id" }, own(run.case_id), " · ", own(`${run.file}:${run.line}`)),
    el("h1", { id: "case-title", tabindex: "-1" }, own(run.name || run.question || run.case_id)),
    el("div", { class: "tags" }, [...row.querySelectorAll(".tag")].map((each) => each.cloneNode(true)), run.kind === "known_bad" && plain("known bad"),
      run.expect === "abstain" && plain("should decline"), run.slices.map((each) => plain(own(each))), run.tags.filter((each) => !run.slices.includes(`tags=${each}`)).map((each) => plain(["#", own(each)]))),
    run.name && el("p", { class: "question" }, own(run.question)));
}

// What is wrong, once: what a gate says already is not said again.
function leadCard(row, run, lead) {
  const told = [...lead.map((each) => el("p", null, own(each)))];
  if (run.unconfirmed) told.push(el("p", null, "The retries did not complete, so the first answer counts."));
  if (run.abstained) told.push(el("p", null, "The answer declines."));
  for (const issue of run.issues) if (!lead.some((each) => each.includes(issue))) told.push(el("p", null, own(issue)));
  for (const each of run.beside_main?.reasons ?? []) if (!each.shown) told.push(el("p", null, `Poorer: ${each.state.replaceAll("-", " ")} `, own(each.value || each.here)));
  for (const each of run.lacks) told.push(el("p", null, "In the reference answer and not in this one: ", own(each.text), ` (${each.code})`));
  const colour = ["failed", "not-blocked"].includes(row.dataset.s) ? "bad" : lead.length ? "warn" : "";
  return told.length > 0 && el("section", { class: `why ${colour}`, "aria-label": "Why" }, told);
}

function answerCard(run, trace) {
  const left = shown.answer === undefined ? 0 : run.answer_length - Array.from(shown.answer).length;
  return card("Answer", el("div", { class: "body" },
    shown.answer ? el("div", { class: "prose", id: "answer", tabindex: "0", role: "region", "aria-label": "Answer" })
      : el("p", { class: "muted" }, shown.answer === "" ? "An empty answer." : run.error ? ["No answer: ", own(run.error)] : trace?.withheld ? "The answer is withheld: its asker may not read what it repeats." : about.texts === "ids" ? "Answer not stored: `texts: ids`." : "No answer was kept."),
    left > 0 && el("p", { class: "cut" }, `✂ Cut here: ${many(left, "more character")}, which the run directory may hold.`)));
}

// The answer as spans: where claims meet or overlap, the worst gives the colour and the click.
function drawAnswer() {
  const text = shown.answer;
  const placed = shown.claims.filter((claim) => claim.at && claim.at[1] <= text.length);
  const edges = [...new Set([0, text.length, ...placed.flatMap((claim) => claim.at)])].sort((a, b) => a - b);
  byId("answer").replaceChildren(el("bdi", null, edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1];
    const over = placed.filter((claim) => claim.at[0] <= from && claim.at[1] >= to).sort((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict));
    if (!over.length) return text.slice(from, to);
    const [colour, sign] = VERDICTS[over[0].verdict];
    const isChosen = over.includes(shown.claims[shown.chosen]);
    const ends = over.some((claim) => claim.at[1] === to);
    return el("span", { class: `claim-text ${colour}${isChosen ? " chosen" : ""}`, title: over[0].verdict, click: () => choose(shown.claims.indexOf(over[0]), true) },
      text.slice(from, to), ends && [el("sup", { "aria-hidden": "true" }, sign), el("span", { class: "sr" }, ` (${over[0].verdict}) `)]);
  })));
}

function beforeCard(run, before) {
  if (before === undefined) return null;
  // A long answer of the baseline is kept up to an ellipsis.
  const kept = before.endsWith("…") ? before.slice(0, -1).trimEnd() : before;
  const now = kept === before ? shown.answer : shown.answer?.slice(0, kept.length);
  const body = kept === now ? el("span", { class: "muted" }, "The answer is the same, word for word.") : el("bdi", null, before ? changes(kept, now ?? "") : "An empty answer.");
  return card(`Against the ${about.base}`, el("div", { class: "body" }, el("div", { class: "prose", id: "changes", tabindex: "0", role: "region", "aria-label": `Answer of the ${about.base}` }, body)));
}

function claimsCard() {
  const counts = WORST.map((verdict) => [verdict, shown.claims.filter((claim) => claim.verdict === verdict).length]).filter(([, number]) => number);
  return shown.claims.length > 0 && card(["Claims ", el("span", { class: "muted small" }, counts.map(([verdict, number]) => `${number} ${verdict}`).join(" · "))],
    el("ol", { class: "claims", id: "claims" }, shown.claims.map(claimItem)));
}

function claimItem(claim, place) {
  const how = claim.judged ? "judges" : claim.labelled ? "a label" : claim.verdict === "supported" ? "a quotation" : claim.verdict === "unverified" ? "" : "a rule";
  const reasons = new Set([...claim.findings.map((each) => (each.advisory ? "Advice: " : "") + each.reason), claim.note].filter(Boolean));
  const vote = (each) => el("li", null, el("strong", null, own(each.judge)), verdictTag(each.verdict), !each.armed && el("span", { class: "muted" }, "advises"),
    each.chunk_id && el("code", null, own(each.chunk_id)), each.quote && el("span", null, "“", own(each.quote), "”"),
    el("span", { class: "note" }, own(each.note ?? ""), (each.parts ?? []).map((part) => [" “", own(part.span), `”: ${part.verdict}.`])));
  return el("li", null,
    el("button", { class: "claim", type: "button", click: () => choose(place, true) }, verdictTag(claim.verdict), " ", claim.isFalse && [el("span", { class: "tag bad" }, "✕ counts as a hallucination"), " "],
      el("span", { class: "muted small" }, how && `decided by ${how} · `, claim.citations.length ? ["cites ", own(claim.citations.join(", "))] : "cites nothing"),
      el("span", { class: "said" }, own(claim.text || claim.claim_id))),
    (reasons.size > 0 || claim.votes) && el("div", { class: "claim-more" }, [...reasons].map((each) => el("p", null, own(each))), claim.votes && el("ul", { class: "votes" }, claim.votes.map(vote))));
}

// What speaks for a claim or against it: a chunk, and its words or where they stand in it.
function passages(claim) {
  const said = [];
  const add = (how, id, more) => said.push({ id, how, colour: RELATIONS[how][0], ...more });
  const named = [...(claim.votes ?? []).filter((vote) => vote.chunk_id && vote.quote === claim.quote), ...claim.findings.filter((each) => each.chunk_id)];
  const quoted = claim.supported_by[0] ?? named[0]?.chunk_id;
  if (quoted || claim.quote) add(claim.verdict === "unverified" && claim.isFalse ? "unsupported" : claim.verdict, quoted, { quote: claim.quote });
  for (const each of claim.findings) if (each.chunk_id) add(each.kind === "conflict" ? "contradicted" : "unsupported", each.chunk_id, { at: each.chunk_start !== undefined && [each.chunk_start, each.chunk_end] });
  for (const vote of claim.votes ?? []) if (vote.chunk_id && vote.quote !== claim.quote) add(vote.verdict, vote.chunk_id, { quote: vote.quote });
  for (const each of shown.run.hallucinations) if (each.text === claim.text && each.chunk_id && !said.length) add(claim.verdict === "contradicted" ? claim.verdict : "unsupported", each.chunk_id, { quote: each.quote });
  for (const id of claim.supported_by) if (!said.some((each) => each.id === id)) add("supported", id);
  return said;
}

const evidenceCard = () => el("section", { class: "card evidence", id: "evidence", tabindex: "0", "aria-label": "Evidence" },
  el("header", null, el("h2", null, "Evidence"), el("span", { class: "muted small", id: "evidence-of" })), el("div", { id: "chunks" }));

// The chunks of the chosen claim first, then the others as the model saw them.
function drawEvidence() {
  const claim = shown.claims[shown.chosen];
  const said = claim ? passages(claim) : [];
  const known = new Set(shown.context.map((chunk) => chunk.id));
  const far = [...new Set(shown.claims.flatMap((each) => passages(each).map((passage) => passage.id)))].filter((id) => id && !known.has(id));
  const of = (chunk) => said.filter((each) => each.id === chunk.id);
  const chunks = [...shown.context, ...far.map((id) => ({ id, far: true }))].sort((a, b) => (of(b).length > 0) - (of(a).length > 0));
  byId("evidence-of").replaceChildren(claim ? `for claim ${shown.chosen + 1}, ${claim.verdict}` : "");
  byId("chunks").replaceChildren(...chunks.map((chunk) => chunkView(chunk, of(chunk))));
  if (!chunks.length) byId("chunks").append(el("p", { class: "chunk muted" }, "The model was shown no chunk."));
  for (const each of said) if (!each.id && each.quote) byId("chunks").prepend(el("div", { class: "chunk" }, quoteOf(each)));
}

const quoteOf = ({ quote, colour }) => el("blockquote", null, el("mark", { class: colour }, own(quote)));

function chunkView(chunk, said) {
  const place = shown.context.indexOf(chunk);
  const cited = shown.claims[shown.chosen]?.citations.includes(chunk.id);
  const head = el("h3", null, own(chunk.id), chunk.version && el("span", { class: "muted" }, own(chunk.version)), place >= 0 && el("span", { class: "muted" }, `#${place + 1} in context`),
    chunk.far && el("span", { class: "tag plain" }, "not in context"), cited && el("span", { class: "tag plain" }, "cited"), said.length > 0 && tag(RELATIONS[said[0].how]));
  if (chunk.text !== undefined) return el("div", { class: "chunk" }, head, el("div", { class: "text" }, el("bdi", null, withMarks(chunk.text, said))));
  const quotes = said.filter((each) => each.quote);
  return el("div", { class: "chunk" }, head, quotes.map(quoteOf),
    el("p", { class: "muted small" }, quotes.length ? "The rest of the text is not stored: " : "Text not stored: ", el("code", null, "texts: full")));
}

function withMarks(text, said) {
  const ranges = said.filter((each) => each.at).map((each) => [unit(text, each.at[0]), unit(text, each.at[1]), each.colour]);
  for (const { quote, colour } of said) if (quote && text.includes(quote)) ranges.push([text.indexOf(quote), text.indexOf(quote) + quote.length, colour]);
  const parts = [];
  let from = 0;
  for (const [start, end, colour] of ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (end <= from) continue;
    parts.push(text.slice(from, Math.max(start, from)), el("mark", { class: colour }, text.slice(Math.max(start, from), end)));
    from = end;
  }
  return [...parts, text.slice(from)];
}

function choose(place, scroll) {
  shown.chosen = place;
  if (byId("answer")) drawAnswer();
  drawEvidence();
  [...(byId("claims")?.children ?? [])].forEach((item, at) => {
    item.classList.toggle("chosen", at === place);
    item.firstChild.setAttribute("aria-pressed", String(at === place));
  });
  const mark = byId("chunks").querySelector("mark");
  const panel = byId("evidence");
  if (mark && panel.scrollHeight > panel.clientHeight) panel.scrollTop = Math.max(0, mark.getBoundingClientRect().top - panel.getBoundingClientRect().top + panel.scrollTop - 90);
  if (scroll && matchMedia("(max-width: 900px)").matches) (mark ?? panel).scrollIntoView({ block: "center" });
}

function gatesCard(run, words) {
  const all = Object.entries(run.outcomes);
  const told = Object.keys(OUTCOMES).flatMap((kind) => all.filter(([, outcome]) => outcome.kind === kind));
  const rest = all.filter(([, outcome]) => outcome.kind === "not_applicable");
  const line = ([gate, { kind, share }]) => {
    const [name, level] = about.gates[gate];
    const isOff = level === "off" && kind !== "passed";
    return el("tr", { class: kind }, el("td", null, el("strong", null, name), level === "warn" && el("span", { class: "muted" }, " only warns")),
      el("td", null, tag(isOff ? ["plain", "–", "off"] : OUTCOMES[kind])), el("td", { class: "number" }, share && `${share.hits}/${share.total}`),
      el("td", { class: "gate-why" }, (words[gate] ?? []).map((each) => el("div", null, own(each)))));
  };
  return card("Gates", el("div", { class: "body flush wide gates", tabindex: "0", role: "region", "aria-label": "Gates" },
    el("table", null, el("thead", null, el("tr", null, ["Gate", "Outcome", "Count", "Why"].map((each) => el("th", { scope: "col" }, each)))), el("tbody", null, told.map(line)))),
  rest.length > 0 && el("div", { class: "body" }, el("details", null, el("summary", null, `${rest.length} not applicable`), el("div", { class: "inside" },
    el("dl", { class: "facts" }, rest.map(([gate, outcome]) => [el("dt", null, about.gates[gate][0]), el("dd", null, own(outcome.why))]))))));
}

function othersCard(run) {
  return listed(`Other answers (${run.asks.length})`, run.asks.map((ask) => [own(ask.error ?? ask.answer ?? "(empty or not kept)"),
    el("p", { class: "muted small" }, Object.entries(ask.outcomes).filter(([, outcome]) => outcome.kind === "failed").map(([gate]) => about.gates[gate][0]).join(", ") || "fails nothing")]));
}

function judgesCard(run) {
  const asked = [...(run.judges ?? []), ...(run.answer_votes?.judges ?? [])];
  const standing = (judge) => [own(judge.judge), judge.lost ? [": lost, ", own(judge.lost.detail || judge.lost.code)] : judge.armed ? ", armed" : ", advises"];
  const item = (each) => [own(each.text || each.item), ` · ${each.said ?? "open"}`, el("ul", null, (each.votes ?? []).map((vote) => el("li", null, own(vote.judge), `: ${vote.said} `, own(vote.note ?? ""))))];
  return listed("Judges", [...asked.map(standing), ...(run.answer_votes?.items ?? []).map(item)]);
}

function retrievalCard(run, trace) {
  const stages = Object.keys(STAGES).filter((name) => trace?.[name]).map((name) => [name, new Map(trace[name].map((chunk, at) => [chunk.chunk_id ?? chunk, at + 1]))]);
  if (!stages.length) return null;
  const last = stages.at(-1)[1];
  const required = run.demands?.required_source_ids ?? [];
  const cited = new Set(run.claims.flatMap((claim) => claim.citations));
  const rank = (id) => last.get(id) ?? 1000 + (stages[0][1].get(id) ?? 1000);
  const ids = [...new Set([...stages.flatMap(([, ranks]) => [...ranks.keys()]), ...required])].sort((a, b) => rank(a) - rank(b));
  const use = (id) => [required.includes(id) && tag(last.has(id) ? ["good", "✓", "required"] : ["bad", "✕", "required"]), " ", cited.has(id) && el("span", { class: "tag plain" }, "cited")];
  return card("Retrieval", el("div", { class: "body flush wide", tabindex: "0", role: "region", "aria-label": "Retrieval" }, el("table", null,
    el("thead", null, el("tr", null, ["Chunk", ...stages.map(([name]) => STAGES[name]), "Use"].map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", null, ids.slice(0, 60).map((id) => el("tr", null, el("td", null, el("span", { class: "mono" }, own(id))), stages.map(([, ranks]) => el("td", null, ranks.get(id) ?? "–")), el("td", null, use(id))))))),
  ids.length > 60 && el("p", { class: "body muted" }, `${ids.length - 60} more in traces.jsonl.`));
}

function costCard(run, trace) {
  const facts = [["Answered in", run.latency_ms !== undefined && `${Math.round(run.latency_ms)} ms`], ...Object.entries(trace?.stage_latency_ms ?? {}).map(([name, ms]) => [own(name), `${Math.round(ms)} ms`]),
    ["Cost", run.cost_usd !== undefined && `$${run.cost_usd.toFixed(5)}`], ["Tokens", trace?.usage && `${trace.usage.input_tokens ?? 0} in, ${trace.usage.output_tokens ?? 0} out`],
    ["Tools", trace?.tool_calls?.length > 0 && own(trace.tool_calls.map((call) => call.name ?? call).join(", "))], ...run.versions.map(([key, value]) => [own(key), own(value)])].filter(([, value]) => value);
  return facts.length > 0 && card("Cost, time, versions", el("div", { class: "body" }, el("dl", { class: "facts" }, facts.map(([name, value]) => [el("dt", null, name), el("dd", null, value)]))));
}

const repeatCard = (id) => about.repeat[0] && /^[\w./:@%,][\w./:@%,=+-]*$/.test(id) &&
  card("Run this case again", el("div", { class: "body" }, el("pre", { tabindex: "0" }, `${about.repeat[0]} --case ${id} ${about.repeat[1]}`.trim())));

// ---------------------------------------------------------------- views
let before = null; // What was shown before.

async function route() {
  const state = read();
  const view = state.id ? "case" : state.view === "run" ? "run" : "cases";
  byId("overview").hidden = byId("cases").hidden = view === "case";
  byId("cases").hidden ||= view === "run";
  byId("run").hidden = view !== "run";
  byId("app").hidden = view !== "case";
  for (const link of byId("views").children) link.setAttribute("aria-current", link.dataset.view === view ? "page" : "false");
  byId("query").value = state.q;
  if (byId("slice")) byId("slice").value = state.sl;
  filter(state);
  if (view === "case")
    await showCase(state.id).catch((error) => byId("app").replaceChildren(el("p", { class: "notice" }, `This case could not be read: ${error.message}`)));
  const moved = before && (before.view !== view || before.id !== state.id);
  const row = view === "cases" && before?.id && rowOf.get(before.id);
  if (row) row.focus({ preventScroll: true }), row.scrollIntoView({ block: "center" });
  else if (moved || view === "case") scrollTo(0, 0);
  if (moved && view === "case") byId("case-title").focus({ preventScroll: true });
  document.title = `${view === "case" ? state.id : byId("decision").textContent.trim()} · ${about.suite}`;
  before = { view, id: state.id };
}

function move(step) {
  const state = read();
  if (state.view === "run" && !state.id) return go({ view: "" });
  const from = found.indexOf(state.id ? rowOf.get(state.id) : document.activeElement);
  const to = found[state.id ? from + step : Math.max(from + step, 0)];
  if (to && state.id) go({ id: idOf(to) });
  else if (to) to.focus(), to.scrollIntoView({ block: "nearest" });
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  const acts = event.target.matches("input") ? { Escape: () => event.target.blur(), ArrowDown: () => move(1) } : {
    j: () => move(1), k: () => move(-1), t: theme, Escape: () => read().id && go({ id: null }),
    "/": () => (read().id || read().view ? go({ id: null, view: "" }) : null, byId("cases").hidden = false, byId("query").focus()),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
}

async function start() {
  about = JSON.parse(new TextDecoder().decode(bytesIn(byId("about"))));
  readList();
  listTools();
  byId("views").hidden = false;
  byId("views").append(el("a", { href: "#cases", "data-view": "cases" }, "Cases", el("span", { class: "n" }, rows.length.toLocaleString("en"))),
    el("a", { href: "#view=run", "data-view": "run" }, "Gates, slices and the run"));
  byId("tools").append(el("button", { class: "button", type: "button", click: theme }, "Light / dark"));
  byId("rows").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ id: idOf(row), view: "" });
  });
  addEventListener("hashchange", route);
  addEventListener("keydown", pressed);
  await route();
  document.documentElement.dataset.ready = "yes";
}
start().catch((error) => byId("cases").prepend(el("p", { class: "notice" }, `The cases could not be read in this browser: ${error.message}`)));
})();
