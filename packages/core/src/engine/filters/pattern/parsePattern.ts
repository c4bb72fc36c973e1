/** Parses the JavaScript regular expressions of content filters, without what cannot run in linear time. */
import * as Result from "effect/Result"

/** Ranges of UTF-16 code units, both ends included. */
export type Ranges = ReadonlyArray<readonly [number, number]>

export type Assertion = "start" | "end" | "word" | "noWord"

/** An expression. */
export type Node =
  | { readonly type: "empty" }
  | { readonly type: "set"; readonly ranges: Ranges }
  | { readonly type: "assert"; readonly assertion: Assertion }
  | { readonly type: "all"; readonly items: ReadonlyArray<Node> }
  | { readonly type: "any"; readonly items: ReadonlyArray<Node> }
  | {
      readonly type: "repeat"
      readonly item: Node
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }

/** Fails with what is wrong, as the rest of a sentence that begins with the pattern. */
export const parsePattern = (source: string): Result.Result<Node, string> => {
  // What JavaScript refuses is refused with its own words.
  const known = Result.try({ try: () => new RegExp(source), catch: String })
  if (Result.isFailure(known)) return Result.fail(`is no regular expression: ${known.failure}`)
  try {
    return Result.succeed(new PatternParser(source).parse())
  } catch (error) {
    if (error instanceof Unsupported) return Result.fail(error.message)
    throw error
  }
}

class Unsupported extends Error {}

const maxGroupDepth = 100
const maxRepeat = 1_000

const digits: Ranges = [[48, 57]]
const words: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122]
]
// https://tc39.es/ecma262/#sec-white-space and the line terminators
const spaces: Ranges = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff]
]
const lineEnds: Ranges = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029]
]

const invert = (ranges: Ranges): Ranges => {
  const inverted: Array<readonly [number, number]> = []
  let from = 0
  for (const [first, last] of sortRanges(ranges)) {
    if (first > from) inverted.push([from, first - 1])
    from = Math.max(from, last + 1)
  }
  if (from <= 0xffff) inverted.push([from, 0xffff])
  return inverted
}

const sortRanges = (ranges: Ranges): Ranges => ranges.toSorted(([a], [b]) => a - b)

const classes: Readonly<Record<string, Ranges>> = {
  d: digits,
  w: words,
  s: spaces,
  D: invert(digits),
  W: invert(words),
  S: invert(spaces)
}

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, "0": 0 }

/** The syntax of https://tc39.es/ecma262/#sec-patterns without flags, of which the source is valid. */
class PatternParser {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): Node {
    const node = this.#alternatives()
    checkRepeats(node, false)
    return node
  }

  #alternatives(): Node {
    if (++this.#depth > maxGroupDepth) {
      throw new Unsupported(`nests groups deeper than ${maxGroupDepth}`)
    }
    const items = [this.#sequence()]
    while (this.#take("|")) items.push(this.#sequence())
    this.#depth--
    return items.length === 1 ? items[0]! : { type: "any", items }
  }

  #sequence(): Node {
    const items: Array<Node> = []
    while (this.#at < this.#source.length && !this.#isAt("|") && !this.#isAt(")")) {
      items.push(this.#repeated(this.#atom()))
    }
    return items.length === 1 ? items[0]! : { type: "all", items }
  }

  #repeated(item: Node): Node {
    const bounds = this.#bounds()
    if (bounds === undefined) return item
    const [min, max] = bounds
    if (min > maxRepeat || (max > maxRepeat && max !== Infinity)) {
      throw new Unsupported(`repeats more than ${maxRepeat} times`)
    }
    return { type: "repeat", item, min, max, isLazy: this.#take("?") }
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity]
    if (this.#take("+")) return [1, Infinity]
    if (this.#take("?")) return [0, 1]
    // A brace without bounds is a character.
    const braces = /\{(\d+)(,?)(\d*)\}/y
    braces.lastIndex = this.#at
    const [whole, least, comma, most] = braces.exec(this.#source) ?? []
    if (whole === undefined || (comma === "" && most !== "")) return undefined
    this.#at += whole.length
    const min = Number(least)
    return [min, comma === "" ? min : most === "" ? Infinity : Number(most)]
  }

  #atom(): Node {
    const character = this.#source[this.#at++]
    if (character === "(") return this.#group()
    if (character === "[") return { type: "set", ranges: this.#class() }
    if (character === ".") return { type: "set", ranges: invert(lineEnds) }
    if (character === "^") return { type: "assert", assertion: "start" }
    if (character === "$") return { type: "assert", assertion: "end" }
    if (character === "\\") {
      if (this.#take("b")) return { type: "assert", assertion: "word" }
      if (this.#take("B")) return { type: "assert", assertion: "noWord" }
      if (this.#isAt("k") && this.#source.includes("(?<")) {
        throw new Unsupported("has a back reference")
      }
      return { type: "set", ranges: this.#escape(false) }
    }
    return { type: "set", ranges: single(character!.charCodeAt(0)) }
  }

  #group(): Node {
    if (this.#take("?")) {
      if (this.#isAt("=") || this.#isAt("!")) throw new Unsupported("has a look-ahead")
      if (this.#source.startsWith("<=", this.#at) || this.#source.startsWith("<!", this.#at)) {
        throw new Unsupported("has a look-behind")
      }
      if (this.#take("<")) this.#at = this.#source.indexOf(">", this.#at) + 1
      else if (!this.#take(":")) throw new Unsupported("changes flags inside")
    }
    const node = this.#alternatives()
    this.#take(")")
    return node
  }

  #class(): Ranges {
    const isInverted = this.#take("^")
    const ranges: Array<readonly [number, number]> = []
    while (!this.#take("]")) {
      const first = this.#classAtom()
      if (!this.#isAt("-") || this.#source[this.#at + 1] === "]") {
        ranges.push(...first)
        continue
      }
      this.#at++
      const last = this.#classAtom()
      const [from, isFromSet] = toUnit(first)
      const [to, isToSet] = toUnit(last)
      // As JavaScript reads [\w-x]: a hyphen beside a set is a character.
      if (isFromSet || isToSet) ranges.push(...first, [45, 45], ...last)
      else ranges.push([from, to])
    }
    return isInverted ? invert(ranges) : ranges
  }

  #classAtom(): Ranges {
    const character = this.#source[this.#at++]!
    return character === "\\" ? this.#escape(true) : single(character.charCodeAt(0))
  }

  #escape(isInClass: boolean): Ranges {
    const character = this.#source[this.#at++]!
    const known = classes[character]
    if (known !== undefined) return known
    if (isInClass && character === "b") return single(8)
    const number = /\d+/y
    number.lastIndex = this.#at - 1
    const [digits] = number.exec(this.#source) ?? []
    if (digits !== undefined && digits !== "0") {
      throw new Unsupported(isInClass ? "has an octal escape" : "has a back reference")
    }
    const control = controls[character]
    if (control !== undefined) return single(control)
    const code = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|c([A-Za-z])/y
    code.lastIndex = this.#at - 1
    const [whole, byte, unit, letter] = code.exec(this.#source) ?? []
    if (whole === undefined) {
      // Without the flag u these would silently mean the letters themselves.
      if (/[pPuxc]/.test(character))
        throw new Unsupported(`has the unsupported escape \\${character}`)
      return single(character.charCodeAt(0))
    }
    this.#at += whole.length - 1
    return single(
      letter === undefined ? Number.parseInt(byte ?? unit ?? "", 16) : letter.charCodeAt(0) % 32
    )
  }

  #isAt(character: string): boolean {
    return this.#source[this.#at] === character
  }

  #take(character: string): boolean {
    if (!this.#isAt(character)) return false
    this.#at++
    return true
  }
}

const single = (unit: number): Ranges => [[unit, unit]]

const toUnit = (ranges: Ranges): readonly [number, isSet: boolean] => {
  const [first] = ranges
  return first !== undefined && ranges.length === 1 && first[0] === first[1]
    ? [first[0], false]
    : [0, true]
}

/** As the reference, which refuses what backtracking engines run exponentially. */
const checkRepeats = (node: Node, isInside: boolean): void => {
  if (node.type === "repeat") {
    const isUnbounded = node.max === Infinity
    if (isUnbounded && isInside) throw new Unsupported("has nested quantifiers")
    checkRepeats(node.item, isInside || isUnbounded)
  } else if (node.type === "all" || node.type === "any") {
    for (const item of node.items) checkRepeats(item, isInside)
  }
}
