/**
 * Finds all matches of a regular expression in time linear in the text, with the matches that JavaScript finds: the
 * leftmost, and of these the first by the order of its alternatives.
 *
 * One pass from the end of the text notes for each place which states of the expression can still reach a match. The pass
 * from the beginning then takes the first alternative that can, so it never turns back (Frisch and Cardelli, "Greedy
 * Regular Expression Matching", ICALP 2004, https://doi.org/10.1007/978-3-540-27836-8_53).
 */
import * as Result from "effect/Result"
import type { Span } from "../Detector.ts"
import { addStates, findPrefix, maxStates, type State } from "./addStates.ts"
import { holds, isWord, wordEdges } from "./assertions.ts"
import { parsePattern, type Ranges } from "./parsePattern.ts"

/** Sets of states that are remembered; beyond it they are forgotten and found again. */
const maxSets = 2_000
/** How often in a text. */
const maxForgotten = 1
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

/** The states from which a match can be reached at a place, and those before each kind of character. */
interface LiveSet {
  readonly live: Uint8Array
  /** 1: a match may end in front of this place. 0: it must go on to the end of the text. */
  readonly over: 0 | 1
  /** Whether a match may begin here. */
  readonly isStart: boolean
  /** Sets before this place, by the class of the character between and by what assertions see; undefined: not remembered. */
  readonly before: Array<LiveSet | undefined> | undefined
}

/** A compiled expression. */
export class LinearPattern {
  readonly #states: ReadonlyArray<State>
  readonly #start: number
  readonly #hasAssertions: boolean
  /** What every match begins with. */
  readonly #prefix: string
  /** By class of characters: 1 for each state that takes one. Then it goes on to the state in `#nexts`. */
  readonly #takes: Array<Uint8Array | undefined> = []
  readonly #nexts: Uint16Array
  /** The states that pass on without a character. */
  readonly #passing: ReadonlyArray<number>
  /** Where a class of characters ends, which no state tells apart, and the next one begins. */
  readonly #edges: ReadonlyArray<number>
  readonly #classCount: number
  /** The classes of the first characters. */
  readonly #classOf = new Uint16Array(256)
  #sets = new Map<string, LiveSet>()
  #ends: Array<LiveSet | undefined> = []
  #openEnd: LiveSet | undefined = undefined
  #forgotten = 0

  constructor(states: ReadonlyArray<State>, start: number) {
    this.#states = states
    this.#start = start
    this.#prefix = findPrefix(states, start)
    this.#nexts = Uint16Array.from(states, (state) => (state.type === "set" ? state.next : 0))
    this.#passing = [...states.keys()].filter((at) => /assert|split/.test(states[at]!.type))
    this.#hasAssertions = states.some(({ type }) => type === "assert")
    const edges = new Set<number>(this.#hasAssertions ? wordEdges : [])
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
    this.#forgotten = 0
    let spans: Array<Span> | undefined
    let at = 0
    do {
      const next = text.indexOf(this.#prefix, at)
      if (next === -1) break
      at = next
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

  /** Where from `begin` on a match begins that is not over at the end of the text; the length of the text: nowhere. */
  findPartial(text: string, begin: number): number {
    const from = Math.max(begin, text.length - overlap)
    let set = (this.#openEnd ??= this.#makeOpenEnd())
    let found = text.length
    for (let at = text.length - 1; at >= from; at--) {
      set = this.#step(text, at, set)
      if (set.isStart) found = at
    }
    return found
  }

  /**
   * The states that each character may cost a step for. None where there are so few sets that all are remembered: each
   * character then costs a look at one.
   */
  countCostlyStates(): number {
    // By whether the character before a place is of a word, which assertions see.
    const known = [new Set<LiveSet>(), new Set<LiveSet>()] as const
    const open: Array<readonly [set: LiveSet, before: 0 | 1]> = []
    const add = (behind: LiveSet | undefined, unit: number, kind: number, seen: number): void => {
      for (const before of this.#hasAssertions ? ([0, 1] as const) : ([0] as const)) {
        const set = this.#close(behind, unit, kind, seen + before)
        if (known[before].has(set)) continue
        known[before].add(set)
        open.push([set, before])
      }
    }
    add(undefined, 0, 0, 8)
    for (let at = 0; at < open.length; at++) {
      if (open.length > maxSets / 4) return this.#states.length
      const [set, before] = open[at]!
      for (const [kind, unit] of [0, ...this.#edges].entries()) {
        if (!this.#hasAssertions) add(set, unit, kind, 0)
        else if (isWord(unit) === (before === 1)) add(set, unit, kind, before * 2)
      }
    }
    return 0
  }

  /** The set at the end of a text that goes on: every state may still reach a match. */
  #makeOpenEnd(): LiveSet {
    const live = new Uint8Array(this.#states.length).fill(1)
    // A match that is over needs no more text.
    live[0] = 0
    const before = Array.from<LiveSet | undefined>({ length: this.#countKeys() })
    return { live, over: 0, isStart: true, before }
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
    let set = (this.#ends[context] ??= this.#close(undefined, 0, 0, context))
    let hasStart = set.isStart && end < text.length
    if (found !== undefined) found[end - from] = set
    for (let at = end - 1; at >= from; at--) {
      set = this.#step(text, at, set)
      if (set.isStart) hasStart = true
      if (found !== undefined) found[at - from] = set
    }
    return hasStart
  }

  /** The set in front of the character at a place, given the one behind it. */
  #step(text: string, at: number, set: LiveSet): LiveSet {
    const unit = text.charCodeAt(at)
    const kind = unit < 256 ? this.#classOf[unit]! : this.#findClass(unit)
    const context = this.#hasAssertions ? this.#toContext(text, at) : 0
    const key = kind + context * this.#classCount
    return set.before?.[key] ?? this.#stepBack(set, unit, kind, context)
  }

  #stepBack(set: LiveSet, unit: number, kind: number, context: number): LiveSet {
    const before = this.#close(set, unit, kind, context)
    const key = kind + context * this.#classCount
    if (set.before !== undefined) set.before[key] = before
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
  #close(after: LiveSet | undefined, unit: number, kind: number, context: number): LiveSet {
    const states = this.#states
    const live = new Uint8Array(states.length)
    // The match is over here, unless what follows must be part of it.
    live[0] = 1
    if (after !== undefined) {
      const takes = (this.#takes[kind] ??= this.#listTaking(unit))
      for (let at = 0; at < live.length; at++) live[at] = takes[at]! & after.live[this.#nexts[at]!]!
      live[0] = after.over
    }
    // States without a character go on to others; loops need some rounds.
    for (let isChanged = true; isChanged;) {
      isChanged = false
      for (const at of this.#passing) {
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
    return this.#remember(live, after?.over ?? 1)
  }

  /** All characters of a class are taken by the same states. */
  #listTaking(unit: number): Uint8Array {
    return Uint8Array.from(this.#states, (state) =>
      state.type === "set" && isIn(state.ranges, unit) ? 1 : 0
    )
  }

  #remember(live: Uint8Array, over: 0 | 1): LiveSet {
    const isStart = live[this.#start] === 1
    // A text in which every place has a set of its own repeats none of them.
    if (this.#forgotten > maxForgotten) return { live, over, isStart, before: undefined }
    const key = `${over}${String.fromCharCode(...toChunks(live))}`
    const known = this.#sets.get(key)
    if (known !== undefined) return known
    if (this.#sets.size >= maxSets) this.#forget()
    const before = Array.from<LiveSet | undefined>({ length: this.#countKeys() })
    const set = { live, over, isStart, before }
    this.#sets.set(key, set)
    return set
  }

  #countKeys(): number {
    return this.#classCount * (this.#hasAssertions ? 16 : 1)
  }

  #forget(): void {
    this.#forgotten++
    for (const { before } of this.#sets.values()) before?.fill(undefined)
    this.#sets = new Map()
    this.#ends = []
    this.#openEnd = undefined
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
