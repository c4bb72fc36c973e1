/** Encodes a value as JSON in UTF-8; yields to the event loop while a large value is encoded. */
import * as Effect from "effect/Effect"
import { isSmallJson, maxSyncBytes } from "./JsonCost.ts"
import { yieldToEventLoop } from "./yieldToEventLoop.ts"

const encoder = new TextEncoder()

/** Passes the bytes of `JSON.stringify(value)` to `take` in pieces. */
const encodeChunks: (value: unknown, take: (piece: Uint8Array) => void) => Effect.Effect<void> =
  Effect.fnUntraced(function* (value, take) {
    if (isSmallJson(value)) return take(encoder.encode(JSON.stringify(value)))
    const writer = new JsonWriter(value)
    for (;;) {
      yield* yieldToEventLoop
      const piece = writer.write(charactersPerTick)
      if (piece === undefined) return
      take(encoder.encode(piece))
    }
  })

/** Some tenths of a millisecond. */
const charactersPerTick = 4 * maxSyncBytes

export const encodeJson: (value: unknown) => Effect.Effect<Uint8Array> = Effect.fnUntraced(
  function* (value) {
    const pieces: Array<Uint8Array> = []
    yield* encodeChunks(value, (piece) => pieces.push(piece))
    const [first] = pieces
    if (first !== undefined && pieces.length === 1) return first
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    yield* yieldToEventLoop
    return whole
  }
)

/** The number of UTF-8 bytes. */
export const measureJson = (value: unknown): Effect.Effect<number> =>
  Effect.suspend(() => {
    let bytes = 0
    return Effect.map(
      encodeChunks(value, ({ length }) => (bytes += length)),
      () => bytes
    )
  })

/** The parts that are still to be written; the last one is next. */
type Part =
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "items"; readonly items: ReadonlyArray<unknown>; readonly at: number }
  | { readonly type: "text"; readonly text: string; readonly at: number }

/** Writes a value like `JSON.stringify` in pieces, so that no single call is long. */
export class JsonWriter {
  readonly #left: Array<Part>
  readonly #longest: number
  #piece = ""

  /** Texts of more than `longest` characters, and lists of more items, are written in parts. */
  constructor(value: unknown, longest = 16_384) {
    this.#left = [{ type: "value", value }]
    this.#longest = longest
  }

  /** About so many characters more; undefined when everything is written. */
  write(characters: number): string | undefined {
    this.#piece = ""
    while (this.#piece.length < characters) {
      const part = this.#left.pop()
      if (part === undefined) break
      this.#add(part)
    }
    return this.#piece === "" && this.#left.length === 0 ? undefined : this.#piece
  }

  #add(part: Part): void {
    switch (part.type) {
      case "literal":
        this.#piece += part.text
        break
      case "value":
        this.#begin(part.value)
        break
      case "items":
        this.#addItems(part.items, part.at)
        break
      case "text":
        this.#addText(part.text, part.at)
        break
    }
  }

  #begin(value: unknown): void {
    if (typeof value === "string" && value.length > this.#longest) {
      this.#piece += '"'
      this.#left.push(toLiteral('"'), { type: "text", text: value, at: 0 })
    } else if (isPlain(value)) {
      if (Array.isArray(value)) {
        this.#piece += "["
        this.#left.push(toLiteral("]"), { type: "items", items: value, at: 0 })
      } else this.#beginObject(value)
    } else {
      const text: string | undefined = JSON.stringify(value)
      this.#piece += text ?? "null"
    }
  }

  #beginObject(value: object): void {
    const entries = Object.entries(value).filter(([, each]) => isWritten(each))
    this.#piece += "{"
    this.#left.push(toLiteral("}"))
    for (let i = entries.length - 1; i >= 0; i--) {
      const [name, each] = entries[i]!
      const comma = i === 0 ? "" : ","
      this.#left.push({ type: "value", value: each }, toLiteral(`${comma}${JSON.stringify(name)}:`))
    }
  }

  #addItems(items: ReadonlyArray<unknown>, at: number): void {
    const some = items.slice(at, at + this.#longest)
    if (some.length === 0) return
    if (at > 0) this.#piece += ","
    const next = at + some.length
    if (next < items.length) this.#left.push({ type: "items", items, at: next })
    if (some.every((item) => isSmall(item))) {
      this.#piece += JSON.stringify(some).slice(1, -1)
      return
    }
    for (let i = some.length - 1; i >= 0; i--) {
      this.#left.push({ type: "value", value: some[i] })
      if (i > 0) this.#left.push(toLiteral(","))
    }
  }

  #addText(text: string, at: number): void {
    let end = Math.min(text.length, at + this.#longest)
    // The halves of a character stay together: alone they are written otherwise.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    this.#piece += JSON.stringify(text.slice(at, end)).slice(1, -1)
    if (end < text.length) this.#left.push({ type: "text", text, at: end })
  }
}

const toLiteral = (text: string): Part => ({ type: "literal", text })

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Neither long nor made of others. */
const isSmall = (item: unknown): boolean =>
  typeof item === "string" ? item.length <= 64 : typeof item !== "object" || item === null

/** Whether JSON keeps a property with this value. */
const isWritten = (value: unknown): boolean =>
  value !== undefined && typeof value !== "function" && typeof value !== "symbol"

/** Whether JSON writes the value's own fields; values with a form of their own are left to `JSON.stringify`. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
