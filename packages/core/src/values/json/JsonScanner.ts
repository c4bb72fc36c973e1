/**
 * Counts what makes JSON text costly to parse, byte by byte and before anything is parsed: how deep it nests, its
 * containers and its keys.
 */

const quote = 0x22
const backslash = 0x5c

/**
 * Takes UTF-8 in pieces that may end anywhere. Counts what valid JSON holds; of text that is not JSON it counts no
 * less than a parser comes to before it fails. Numbers, words and strings are not counted: they cost next to nothing.
 */
export class JsonScanner {
  bytes = 0
  /** Arrays and objects. */
  containers = 0
  /** Keys of objects, each as often as it is written. */
  keys = 0
  /** How many containers stand inside each other at most. */
  maxDepth = 0
  /** Whether there may be a number that a double cannot hold. */
  mayOverflow = false
  /** Whether one of the names, which are ASCII, stands there as a string or a key, escaped or not. */
  hasName = false

  readonly #names: ReadonlyArray<string>
  /** Characters of the shortest name, and of the longest with each of them escaped. */
  readonly #shortest: number
  readonly #longest: number
  #depth = 0
  #inString = false
  /** Whether the piece before ended in a backslash that escapes what comes next. */
  #isEscaping = false
  /** The part read so far of a string that goes on. */
  #begun = ""
  /** Digits in a row, and whether they belong to an exponent that is not below 0. */
  #digits = 0
  #isExponent = false

  constructor(names: ReadonlyArray<string> = []) {
    this.#names = names
    const lengths = names.map(({ length }) => length)
    this.#shortest = Math.min(...lengths)
    this.#longest = 6 * Math.max(0, ...lengths)
  }

  /** Containers and keys. */
  get nodes(): number {
    return this.containers + this.keys
  }

  push(piece: Uint8Array): void {
    this.bytes += piece.length
    let at = 0
    while (at < piece.length) {
      at = this.#inString ? this.#skipString(piece, at) : this.#scan(piece, at)
    }
  }

  /** From outside of strings to behind the next quote, or to the end. */
  #scan(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte >= 0x30 && byte <= 0x39) {
        this.#digits++
        if (this.#digits >= 309 || (this.#isExponent && this.#digits >= 3)) this.mayOverflow = true
        continue
      }
      this.#digits = 0
      // `e` or `E`, and the `+` that may follow it.
      this.#isExponent = (byte | 0x20) === 0x65 || (byte === 0x2b && this.#isExponent)
      switch (byte) {
        case quote:
          this.#inString = true
          this.#begun = ""
          return at + 1
        case 0x5b: // [
        case 0x7b: // {
          this.containers++
          this.#depth++
          if (this.#depth > this.maxDepth) this.maxDepth = this.#depth
          break
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth--
          break
        case 0x3a: // :
          this.keys++
          break
      }
    }
    return piece.length
  }

  /** From inside of a string to behind the quote that ends it, or to the end. */
  #skipString(piece: Uint8Array, from: number): number {
    const found = piece.indexOf(quote, from)
    const end = found === -1 ? piece.length : found
    let run = end
    while (run > from && piece[run - 1] === backslash) run--
    const carried = run === from && this.#isEscaping ? 1 : 0
    const isEscaping = (end - run + carried) % 2 === 1
    const isOver = found !== -1 && !isEscaping
    if (!this.hasName && this.#longest > 0) this.#compare(piece, from, end, isOver)
    this.#inString = !isOver
    this.#isEscaping = found === -1 && isEscaping
    return found === -1 ? end : end + 1
  }

  /** Whether a string is one of the names; in most cases its length decides. */
  #compare(piece: Uint8Array, from: number, end: number, isOver: boolean): void {
    const length = this.#begun.length + end - from
    if (length > this.#longest) {
      // Too long, and to be remembered as that.
      this.#begun = isOver ? "" : this.#begun.padEnd(this.#longest + 1)
      return
    }
    if (isOver && length < this.#shortest) {
      this.#begun = ""
      return
    }
    // Nearly all strings stand in one piece, and are compared without copying them.
    if (isOver && this.#begun === "") {
      for (const name of this.#names) if (isName(piece, from, end, name)) this.hasName = true
      return
    }
    const text = this.#begun + toAsciiText(piece, from, end)
    // An escaped quote follows, which is in no name.
    this.#begun = isOver ? "" : text
    if (isOver) this.hasName = this.#names.includes(unescapeJson(text))
  }
}

/** Whether the bytes of a string, escaped or not, spell `name`. */
const isName = (piece: Uint8Array, from: number, end: number, name: string): boolean => {
  const length = end - from
  if (length < name.length || length > 6 * name.length) return false
  for (let at = 0; at < name.length; at++) {
    const byte = piece[from + at]!
    if (byte === backslash) return unescapeJson(toAsciiText(piece, from, end)) === name
    if (byte !== name.charCodeAt(at)) return false
  }
  return length === name.length
}

/** Other characters become ones that are in no name. */
const toAsciiText = (piece: Uint8Array, from: number, end: number): string => {
  let text = ""
  for (let at = from; at < end; at++) text += String.fromCharCode(piece[at]!)
  return text
}

const unescapeJson = (text: string): string => {
  if (!text.includes("\\u")) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
