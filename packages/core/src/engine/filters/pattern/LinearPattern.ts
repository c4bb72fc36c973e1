/**
 * Finds all matches of a regular expression in time linear in the text, with the matches that JavaScript finds: the
 * leftmost, and of these the first by the order of its alternatives.
 *
 * One pass from the end of the text notes for each place which states of the expression can still reach a match. The pass
 * from the beginning then takes the first alternative that can, so it never turns back (Frisch and Cardelli, "Greedy
 * Regular Expression Matching", ICALP 2004, https://doi.org/10.1007/978-3-540-27836-8_53).
 */
import * as Result from "effect/Result"
import { type Assertion, type Node, parsePattern, type Ranges } from "./parsePattern.ts"

/** A part of a text: from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What an expression compiles to: the next states in order of preference. */
type State =
  | { readonly type: "match" }
  | { readonly type: "set"; readonly ranges: Ranges; readonly next: number }
  | { readonly type: "assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly type: "split"; readonly nexts: ReadonlyArray<number> }

/** Bounds the time for a character, and memory. */
const maxStates = 1_000
/** Sets of states that are remembered; beyond it they are forgotten and found again. */
const maxSets = 2_000
/** Long texts are searched in windows of so many characters, which bounds memory. */
const windowLength = 16_384
/** A match of more characters may be found in two parts where two windows meet. */
const overlap = 4_096

/** Fails with what is wrong, as the rest of a sentence that begins with the pattern. */
export const compilePattern = (source: string): Result.Result<LinearPattern, string> =>
  Result.flatMap(parsePattern(source), (node) => {
    const states: Array<State> = [{ type: "match" }]
    const start = addStates(states, node, 0)
    return start === undefined
      ? Result.fail(
          `is too large: it has more than ${maxStates} states when its repeats are written out`
        )
      : Result.succeed(new LinearPattern(states, start))
  })

/** Returns the state that begins `node` and goes on at `next`; undefined when there are too many. */
const addStates = (states: Array<State>, node: Node, next: number): number | undefined => {
  if (states.length > maxStates) return undefined
  const add = (state: State): number => states.push(state) - 1
  switch (node.type) {
    case "empty":
      return next
    case "set":
      return add({ type: "set", ranges: node.ranges, next })
    case "assert":
      return add({ type: "assert", assertion: node.assertion, next })
    case "all": {
      let at: number | undefined = next
      for (const item of node.items.toReversed()) {
        if (at !== undefined) at = addStates(states, item, at)
      }
      return at
    }
    case "any": {
      const nexts: Array<number> = []
      for (const item of node.items) {
        const begin = addStates(states, item, next)
        if (begin === undefined) return undefined
        nexts.push(begin)
      }
      return add({ type: "split", nexts })
    }
    case "repeat":
      return addRepeat(states, node, next)
  }
}

const addRepeat = (
  states: Array<State>,
  { isLazy, item, max, min }: Extract<Node, { readonly type: "repeat" }>,
  next: number
): number | undefined => {
  const toSplit = (again: number, on: number): State => ({
    type: "split",
    nexts: isLazy ? [on, again] : [again, on]
  })
  let at: number | undefined = next
  if (max === Infinity) {
    const loop = states.push({ type: "match" }) - 1
    const again = addStates(states, item, loop)
    if (again === undefined) return undefined
    states[loop] = toSplit(again, next)
    at = loop
  } else {
    for (let count = min; count < max; count++) {
      const again: number | undefined = addStates(states, item, at)
      if (again === undefined) return undefined
      at = states.push(toSplit(again, next)) - 1
    }
  }
  for (let count = 0; count < min; count++) {
    if (at === undefined) return undefined
    at = addStates(states, item, at)
  }
  return at
}

/** The states from which a match can be reached at a place, and those before each kind of character. */
interface LiveSet {
  readonly live: Uint8Array
  /** 1: a match may end in front of this place. 0: it must go on to the end of the text. */
  readonly over: 0 | 1
  /** Whether a match may begin here. */
  readonly isStart: boolean
  /** Sets before this place, by the class of the character between and by what assertions see. */
  readonly before: Array<LiveSet | undefined>
}

const isWord = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 48 && unit <= 57) ||
  unit === 95

/** A compiled expression. */
export class LinearPattern {
  readonly #states: ReadonlyArray<State>
  readonly #start: number
  readonly #hasAssertions: boolean
  /** Where a class of characters ends, which no state tells apart, and the next one begins. */
  readonly #edges: ReadonlyArray<number>
  readonly #classCount: number
  /** The classes of the first characters. */
  readonly #classOf = new Uint16Array(256)
  #sets = new Map<string, LiveSet>()
  #ends: Array<LiveSet | undefined> = []

  constructor(states: ReadonlyArray<State>, start: number) {
    this.#states = states
    this.#start = start
    this.#hasAssertions = states.some(({ type }) => type === "assert")
    const edges = new Set<number>()
    for (const state of states) {
      if (state.type !== "set") continue
      for (const [first, last] of state.ranges) edges.add(first).add(last + 1)
    }
    this.#edges = [...edges].toSorted((a, b) => a - b)
    this.#classCount = edges.size + 1
    let count = 0
    for (let unit = 0; unit < 256; unit++) {
      if (this.#edges[count] === unit) count++
      this.#classOf[unit] = count
    }
  }

  /** All matches but empty ones, from left to right; they do not overlap. */
  findAll(text: string): ReadonlyArray<Span> {
    let spans: Array<Span> | undefined
    let at = 0
    do {
      const end = Math.min(text.length, at + windowLength)
      const until = end === text.length ? end : end - overlap
      const live = this.#findLive(text, at, end)
      if (live !== undefined) {
        const from = at
        while (at < until) {
          if (!live[at - from]!.isStart) {
            at++
            continue
          }
          const found = this.#follow(at, live, from)
          if (found > at) (spans ??= []).push({ start: at, end: found })
          at = Math.max(found, at + 1)
        }
      }
      at = Math.max(at, until)
    } while (at < text.length)
    return spans ?? none
  }

  /** Where a match begins that is not over at the end of the text; the length of the text: nowhere. */
  findPartial(text: string): number {
    const from = Math.max(0, text.length - overlap)
    let set = this.#makeOpenEnd()
    let found = text.length
    for (let at = text.length - 1; at >= from; at--) {
      const unit = text.charCodeAt(at)
      set = this.#close(set, unit, this.#toContext(text, at))
      if (set.isStart) found = at
    }
    return found
  }

  /** The set at the end of a text that goes on: every state may still reach a match. */
  #makeOpenEnd(): LiveSet {
    const live = new Uint8Array(this.#states.length).fill(1)
    // A match that is over needs no more text.
    live[0] = 0
    return { live, over: 0, isStart: true, before: [] }
  }

  /** What can still reach a match, by place from `from` on; undefined when no match begins anywhere. */
  #findLive(text: string, from: number, end: number): ReadonlyArray<LiveSet> | undefined {
    // Most texts have no match, and need no list.
    if (!this.#walkBack(text, from, end, undefined)) return undefined
    const found: Array<LiveSet> = []
    found.length = end - from + 1
    this.#walkBack(text, from, end, found)
    return found
  }

  /** Whether a match begins anywhere. */
  #walkBack(text: string, from: number, end: number, found: Array<LiveSet> | undefined): boolean {
    const context = this.#toContext(text, end)
    let set = (this.#ends[context] ??= this.#close(undefined, 0, context))
    let hasStart = set.isStart && end < text.length
    if (found !== undefined) found[end - from] = set
    for (let at = end - 1; at >= from; at--) {
      const unit = text.charCodeAt(at)
      let key = unit < 256 ? this.#classOf[unit]! : this.#findClass(unit)
      let context = 0
      if (this.#hasAssertions) {
        context = this.#toContext(text, at)
        key += context * this.#classCount
      }
      set = set.before[key] ?? this.#stepBack(set, unit, context, key)
      if (set.isStart) hasStart = true
      if (found !== undefined) found[at - from] = set
    }
    return hasStart
  }

  #stepBack(set: LiveSet, unit: number, context: number, key: number): LiveSet {
    const before = this.#close(set, unit, context)
    set.before[key] = before
    return before
  }

  /** The number of the class of a character. */
  #findClass(unit: number): number {
    let low = 0
    let high = this.#edges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#edges[middle]! <= unit) low = middle + 1
      else high = middle
    }
    return low
  }

  /** What assertions see at a place: whether a word character is before and after, and whether it is the start or the end. */
  #toContext(text: string, at: number): number {
    if (!this.#hasAssertions) return 0
    const before = at > 0 && isWord(text.charCodeAt(at - 1)) ? 1 : 0
    const after = at < text.length && isWord(text.charCodeAt(at)) ? 2 : 0
    return before + after + (at === 0 ? 4 : 0) + (at === text.length ? 8 : 0)
  }

  /** The states that reach a match at a place, given those behind the next character. */
  #close(after: LiveSet | undefined, unit: number, context: number): LiveSet {
    const states = this.#states
    const live = new Uint8Array(states.length)
    // The match is over here, unless what follows must be part of it.
    live[0] = after === undefined ? 1 : after.over
    for (let at = 0; at < states.length; at++) {
      const state = states[at]!
      if (state.type !== "set" || after === undefined || after.live[state.next] === 0) continue
      if (isIn(state.ranges, unit)) live[at] = 1
    }
    // States without a character go on to others; loops need some rounds.
    for (let isChanged = true; isChanged;) {
      isChanged = false
      for (let at = 0; at < states.length; at++) {
        if (live[at] === 1) continue
        const state = states[at]!
        if (
          state.type === "split"
            ? state.nexts.some((next) => live[next] === 1)
            : state.type === "assert" && live[state.next] === 1 && holds(state.assertion, context)
        ) {
          live[at] = 1
          isChanged = true
        }
      }
    }
    const over = after?.over ?? 1
    const key = `${over}${String.fromCharCode(...toChunks(live))}`
    let set = this.#sets.get(key)
    if (set === undefined) {
      if (this.#sets.size >= maxSets) this.#forget()
      const length = this.#classCount * (this.#hasAssertions ? 16 : 1)
      const before = Array.from<LiveSet | undefined>({ length })
      set = { live, over, isStart: live[this.#start] === 1, before }
      this.#sets.set(key, set)
    }
    return set
  }

  #forget(): void {
    for (const { before } of this.#sets.values()) before.fill(undefined)
    this.#sets = new Map()
    this.#ends = []
  }

  /** The end of the match that begins at `start`; `live` begins at `from`. */
  #follow(start: number, live: ReadonlyArray<LiveSet>, from: number): number {
    const states = this.#states
    let at = start
    let id = this.#start
    /** The loops that were entered without a character since the last one. */
    let entered: Set<number> | undefined
    let repeated = 0
    for (;;) {
      const state = states[id]!
      if (state.type === "match") return at
      if (state.type === "set") {
        at++
        entered = undefined
        id = state.next
      } else if (state.type === "assert") id = state.next
      else {
        entered ??= new Set()
        const here = live[at - from]!.live
        // A loop that matched nothing is left, as in JavaScript.
        const isAgain = entered.has(id)
        entered.add(id)
        if (isAgain && ++repeated > states.length) return at
        const open = state.nexts.filter((next) => here[next] === 1)
        id = (isAgain ? open.at(-1) : open[0])!
      }
    }
  }
}

const none: ReadonlyArray<Span> = []

const isIn = (ranges: Ranges, unit: number): boolean => {
  for (const [first, last] of ranges) if (unit >= first && unit <= last) return true
  return false
}

const holds = (assertion: Assertion, context: number): boolean => {
  if (assertion === "start") return (context & 4) !== 0
  if (assertion === "end") return (context & 8) !== 0
  const isBoundary = ((context & 1) !== 0) !== ((context & 2) !== 0)
  return isBoundary === (assertion === "word")
}

/** Fifteen flags in each code unit. */
const toChunks = (flags: Uint8Array): ReadonlyArray<number> => {
  const chunks: Array<number> = []
  for (let at = 0; at < flags.length; at += 15) {
    let chunk = 0
    for (let bit = 0; bit < 15; bit++) chunk = chunk * 2 + (flags[at + bit] ?? 0)
    chunks.push(chunk)
  }
  return chunks
}
