// The page of the preview panel. Runs in the webview, bundled by itself. Everything that comes from a block is put in as text:
// there is no place here where it could become markup.

import { merge, type Assembly, type Block, type Kept, type Message } from "../protocol";
import type { Place } from "../place";
import { dom, type Child } from "./dom";
import type { FromPage, State, Texts, ToPage } from "./messages";

interface Host {
  postMessage(message: FromPage): void;
  getState(): State | undefined;
  setState(state: State): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const bar = document.getElementById("bar") as HTMLElement;
const main = document.getElementById("messages") as HTMLElement;

/** A block and how it is shown. */
interface Card {
  block: Block;
  element: HTMLElement;
  text: HTMLElement;
}

let texts: Texts | undefined;
let language = "en";
let assembly: Assembly | undefined;
let uri = "";
let cards: Card[] = [];
let current: number | undefined;
let restored = false;
/** The page is where the reader left it, and the first word of the cursor must not move it. */
let stays = false;

const format = (text: string, ...values: string[]): string => text.replace(/\{(\d)\}/g, (whole, index) => values[Number(index)] ?? whole);
const count = (number: number): string => number.toLocaleString(language);
const numberOf = (element: Element): number => cards.findIndex((card) => card.element === element);

// ---- the bar

function showBar(words: Texts, now: Assembly): void {
  const chosen = (name: string | null, none: string | undefined, selected: string | null): HTMLSelectElement => {
    const select = dom("select", {}, ...(none === undefined ? [] : [dom("option", { value: "" }, none)]));
    for (const environment of now.environments) select.append(dom("option", { value: `=${environment}` }, environment));
    if (now.environments.length === 0 && none === undefined) select.append(dom("option", { value: "" }, words.noEnvironment));
    if (name === null && none === undefined && now.environments.length > 0) select.prepend(dom("option", { value: "" }, words.noEnvironment));
    select.value = selected === null ? "" : `=${selected}`;
    return select;
  };
  // A list that is being looked through must not close because somebody types.
  if (!(document.activeElement instanceof HTMLSelectElement) || bar.childElementCount === 0) {
    const environment = chosen(now.environment, undefined, now.environment);
    const then = chosen(now.then, words.noThen, now.then);
    environment.id = "environment";
    then.id = "then";
    const choose = () => {
      const name = (select: HTMLSelectElement) => (select.value === "" ? null : select.value.slice(1));
      host.postMessage({ type: "environment", environment: name(environment), then: name(then) });
    };
    environment.addEventListener("change", choose);
    then.addEventListener("change", choose);
    bar.replaceChildren(dom("label", {}, words.environment, environment), dom("label", {}, words.then, then), dom("span", { class: "counts" }));
  }
  const tokens = now.tokens;
  const counts: Child[] = [];
  if (tokens) {
    const zone = (name: string, number: number, limit: { tokens: number; over: boolean } | undefined) => {
      const shown = limit ? `${name} ${format(words.of, count(number), count(limit.tokens))}` : `${name} ${count(number)}`;
      if (counts.length > 0) counts.push(" · ");
      counts.push(limit?.over ? dom("span", { class: "over", title: format(words.overBudget, count(limit.tokens)) }, `⚠ ${shown}`) : shown);
    };
    zone(words.system, tokens.system + (now.budget?.system ? tokens.prelude : 0), now.budget?.system);
    if (tokens.prelude > 0 && !now.budget?.system) zone(words.prelude, tokens.prelude, undefined);
    zone(words.context, tokens.contexts, now.budget?.context);
    zone(words.input, tokens.input, undefined);
  }
  bar.querySelector(".counts")?.replaceChildren(...counts);
}

// ---- notices

function notices(words: Texts, now: Assembly): HTMLElement[] {
  const all: HTMLElement[] = [];
  const findings = now.findings.map((finding, index) => {
    const button = dom("button", { type: "button", title: words.jump }, finding.diagnostic.message);
    button.addEventListener("click", () => host.postMessage({ type: "finding", index }));
    return dom("li", {}, button);
  });
  if (now.refused) all.push(dom("div", { class: "notice error", role: "alert" }, words.refused, dom("ul", {}, ...findings)));
  else if (findings.length > 0) all.push(dom("div", { class: "notice" }, dom("ul", {}, ...findings)));
  if (now.absent) all.push(dom("div", { class: "notice" }, words.absent[now.absent]));
  if (now.computed) {
    const list = now.computed.map(({ id }, index) => {
      const button = dom("button", { type: "button", title: words.jump }, id ?? "?");
      button.addEventListener("click", () => host.postMessage({ type: "computed", index }));
      return dom("li", {}, button);
    });
    all.push(dom("div", { class: "notice" }, words.computed, dom("ul", {}, ...list)));
  }
  if (now.changed) {
    const cost = now.withoutPin;
    const head = cost && cost.recomputed > 0 ? format(words.withoutPin, count(cost.recomputed), cost.firstChanged ?? "?") : words.unchanged;
    const value = (text: string | null) => text ?? words.noValue;
    const list = now.changed.map(({ name, before, after }) => dom("li", {}, `${name}: ${value(before)} → ${value(after)}`));
    all.push(dom("div", { class: "notice", id: "pin" }, head, ...(list.length > 0 ? [dom("ul", {}, ...list)] : [])));
  }
  if (now.messages && !now.messages.some((message) => message.prefixEnd)) all.push(dom("div", { class: "notice" }, words.noBoundary));
  return all;
}

/** The notices, the same elements as before where they say the same: somebody may be on one of them. */
function keptNotices(words: Texts, now: Assembly): HTMLElement[] {
  const { findings, refused, absent, computed, changed, withoutPin, messages } = now;
  const said = JSON.stringify([findings, refused, absent, computed, changed, withoutPin, messages?.some((message) => message.prefixEnd)]);
  if (said !== noticed.said) noticed = { said, elements: notices(words, now) };
  return noticed.elements;
}
let noticed: { said: string; elements: HTMLElement[] } = { said: "", elements: [] };

// ---- blocks

function card(words: Texts, block: Block, old: Card | undefined): Card {
  const title = block.id ?? (block.uri === null ? words.note : "?");
  const order = block.zone === "input" || block.order === null ? "" : ` ${block.order}`;
  const name = dom("button", { type: "button", tabindex: "-1", class: "name", title: words.jump }, `${title}${order}`);
  const head = dom("div", { class: "head" }, name, dom("span", {}, format(words.tokens, count(block.tokens))));
  const text = dom("div", { class: "text" }, ...pieces(words, block));
  if (old) {
    // The element stays, so that focus and place stay.
    old.element.replaceChildren(head, text);
    old.element.setAttribute("aria-label", title);
    return { block, element: old.element, text };
  }
  const element = dom("article", { tabindex: "-1", "aria-label": title }, head, text);
  return { block, element, text };
}

function pieces(words: Texts, block: Block): HTMLElement[] {
  const all = block.pieces.map((piece) => {
    const attributes: Record<string, string> = { class: piece.kind };
    const source = piece.source ?? "";
    if (piece.kind !== "text" && source !== "") attributes["title"] = format(words[piece.kind], source);
    return dom("span", attributes, piece.text);
  });
  if (block.truncated) all.push(dom("span", { class: "note" }, words.truncated));
  return all;
}

function take(now: readonly (Block | Kept)[], words: Texts): void {
  const sent = now.map((item): Card | Kept => ("keep" in item ? item : { block: item, element: main, text: main }));
  const next = merge(cards, sent) ?? [];
  const kept = new Set(next);
  // A block that changed goes on in the element that it had.
  // A source file holds several.
  const keyOf = ({ uri, id }: Block): string | undefined => (uri === null ? undefined : `${uri}\n${id ?? ""}`);
  const free = new Map<string | undefined, Card>();
  for (const old of cards) if (!kept.has(old)) free.set(keyOf(old.block), old);
  free.delete(undefined);
  cards = next.map((item) => {
    if (item.element !== main) return item;
    const key = keyOf(item.block);
    const old = free.get(key);
    free.delete(key);
    return card(words, item.block, old);
  });
}

// ---- messages

/** Makes `parent` hold exactly these, and moves no element that is in its place already. */
function arrange(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  const stay = new Set<Node>(wanted);
  for (const child of [...parent.childNodes]) if (!stay.has(child)) child.remove();
  let at: ChildNode | null = parent.firstChild;
  for (const element of wanted) {
    if (element === at) at = at.nextSibling;
    else parent.insertBefore(element, at);
  }
}

const boundary = dom("div", { class: "boundary", role: "separator" }, dom("span", {}));

function showMessages(words: Texts, now: Assembly): void {
  const all: HTMLElement[] = [...keptNotices(words, now)];
  const old = [...main.querySelectorAll<HTMLElement>(":scope > .message")];
  let stable = (now.messages ?? []).some((message) => message.prefixEnd);
  for (const [index, message] of (now.messages ?? []).entries()) {
    const section = old[index] ?? dom("section", { class: "message" });
    section.classList.toggle("stable", stable);
    section.setAttribute("aria-label", message.role);
    arrange(section, contents(words, section, message));
    all.push(section);
    if (message.prefixEnd) {
      stable = false;
      const line = format(words.boundary, count(now.tokens?.prefix ?? 0), (now.digest ?? "").slice(0, "sha256:".length + 12));
      boundary.title = now.digest ?? "";
      setText(boundary.firstElementChild, line);
      all.push(boundary);
    }
  }
  arrange(main, all);
  if (!cards.some((item) => item.element.tabIndex === 0) && cards[0]) cards[0].element.tabIndex = 0;
}

const heads = new WeakMap<HTMLElement, HTMLElement>();

function contents(words: Texts, section: HTMLElement, message: Message): HTMLElement[] {
  const all: HTMLElement[] = [];
  for (const piece of message.sections) {
    if ("text" in piece) {
      all.push(dom("div", { class: "between" }, piece.text));
      continue;
    }
    const [first, number] = piece.blocks;
    for (const item of cards.slice(first, first + number)) all.push(item.element);
  }
  let head = heads.get(section);
  if (!head) {
    head = dom("h2", {}, dom("span", { class: "role" }), dom("span", { class: "counts" }));
    heads.set(section, head);
  }
  // Where the stable prefix ends, a line of its own says so.
  setText(head.firstElementChild, message.cache && !message.prefixEnd ? `${message.role} · ${words.mark}` : message.role);
  setText(head.lastElementChild, message.tokens > 0 ? format(words.tokens, count(message.tokens)) : "");
  return [head, ...all];
}

/** What says the same already is left alone. */
function setText(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

// ---- the cursor

function showCursor(index: number | undefined, place: Place | null, reveal: boolean): void {
  if (current !== undefined) cards[current]?.element.classList.remove("current");
  for (const marked of main.querySelectorAll(".here")) marked.classList.remove("here");
  for (const marked of main.querySelectorAll("article.current")) marked.classList.remove("current");
  current = index;
  const item = index === undefined ? undefined : cards[index];
  if (!item) return;
  item.element.classList.add("current");
  const piece = place ? item.text.children[place.piece] : undefined;
  if (piece && !piece.classList.contains("text")) piece.classList.add("here");
  if (reveal) follows = true;
  if (!follows) return;
  const turn = ++turns;
  let frames = 0;
  const look = () => {
    if (turn !== turns || !item.element.isConnected) return;
    // What was never on the screen has an estimated height, and moves what follows when it comes there.
    if (bringIntoView(item, place) && ++frames < 10) requestAnimationFrame(look);
  };
  look();
}

/** Whether the page goes where the cursor goes; not once the reader has gone elsewhere, until the cursor moves again. */
let follows = false;
let turns = 0;
for (const own of ["wheel", "touchmove", "mousedown", "keydown"]) {
  window.addEventListener(own, () => ((follows = false), turns++), { passive: true });
}

/** Scrolls to a block, or to a place in it where it is longer than the window; says whether it had to. */
function bringIntoView(item: Card, place: Place | null): boolean {
  const piece = place ? item.text.children[place.piece] : undefined;
  const box = (piece ? rangeAt(piece, place?.offset ?? 0) : undefined) ?? item.element.getBoundingClientRect();
  const top = bar.getBoundingClientRect().bottom;
  if (box.top >= top && box.bottom <= window.innerHeight) return false;
  // The whole block, if it fits.
  const whole = item.element.getBoundingClientRect();
  const wanted = whole.height < window.innerHeight - top ? whole : box;
  const before = window.scrollY;
  window.scrollBy({ top: wanted.top < top ? wanted.top - top - 8 : wanted.bottom - window.innerHeight + 8 });
  return window.scrollY !== before;
}

function rangeAt(piece: Element, offset: number): DOMRect | undefined {
  const text = piece.firstChild;
  if (!(text instanceof Text)) return undefined;
  const range = document.createRange();
  range.setStart(text, Math.min(offset, text.length));
  range.setEnd(text, Math.min(offset + 1, text.length));
  const box = range.getBoundingClientRect();
  return box.height > 0 ? box : undefined;
}

// ---- to the source

function jump(element: Element, place: Place): void {
  const block = numberOf(element);
  if (block >= 0) host.postMessage({ type: "jump", block, place });
}

main.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : undefined;
  const article = target?.closest("article");
  if (!article || !target) return;
  focusOn(article as HTMLElement);
  if (target.closest(".name")) return jump(article, { piece: 0, offset: 0 });
  // Whoever marks a text wants to copy it.
  if (!target.closest(".text") || !(document.getSelection()?.isCollapsed ?? true)) return;
  const piece = target.closest(".text > span") ?? article.querySelector(".text > span:last-child");
  const all = [...(piece?.parentElement?.children ?? [])];
  const caret = document.caretRangeFromPoint(event.clientX, event.clientY);
  const inPiece = caret && piece?.contains(caret.startContainer);
  if (piece) jump(article, { piece: all.indexOf(piece), offset: inPiece ? caret.startOffset : 0 });
});

function focusOn(article: HTMLElement): void {
  for (const item of cards) item.element.tabIndex = item.element === article ? 0 : -1;
}

main.addEventListener("keydown", (event) => {
  const article = event.target instanceof Element ? event.target.closest("article") : null;
  if (!article) return;
  const at = numberOf(article);
  if (event.key === "Enter") {
    const place = at === current ? article.querySelector(".here") : null;
    const piece = place ? [...(place.parentElement?.children ?? [])].indexOf(place) : 0;
    jump(article, { piece, offset: 0 });
  } else {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: cards.length - 1 }[event.key];
    const next = to === undefined ? undefined : cards[to];
    if (!next) return;
    focusOn(next.element);
    next.element.focus();
  }
  event.preventDefault();
});

// ---- what stays over a reload

function keep(): void {
  if (!assembly) return;
  const value = (id: string) => {
    const select = document.getElementById(id);
    return select instanceof HTMLSelectElement && select.value !== "" ? select.value.slice(1) : null;
  };
  host.setState({ uri, environment: value("environment"), then: value("then"), scroll: window.scrollY });
}
let scrolled: number | undefined;
window.addEventListener("scroll", () => {
  if (scrolled !== undefined) cancelAnimationFrame(scrolled);
  scrolled = requestAnimationFrame(keep);
});

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  switch (data.type) {
    case "texts":
      texts = data.texts;
      language = data.language;
      document.documentElement.lang = language;
      if (!assembly) main.replaceChildren(dom("div", { class: "notice" }, texts.waiting));
      break;
    case "assembly": {
      if (!texts) return;
      assembly = data.assembly;
      uri = data.uri;
      const pinned = document.getElementById("pin") !== null;
      take(data.blocks, texts);
      showBar(texts, assembly);
      showMessages(texts, assembly);
      // What was chosen shows.
      if (!pinned && restored && assembly.changed) window.scrollTo({ top: 0 });
      if (!restored) {
        restored = true;
        const state = host.getState();
        if (state?.uri === uri) {
          window.scrollTo({ top: state.scroll });
          stays = true;
        }
      }
      keep();
      break;
    }
    case "cursor":
      showCursor(data.block ?? undefined, data.place, data.reveal && !stays);
      stays = false;
      break;
  }
});

host.postMessage({ type: "ready" });
