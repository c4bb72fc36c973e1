/** Texts that are written in base64, or as numbers of characters. */
import { forEachRun, makeCharacterSet } from "./characterRuns.ts"
import type { Span } from "./Detector.ts"

export interface EncodedText extends Span {
  readonly decoded: string
}

/** The bounds of what is decoded, in characters. A longer run is binary data. */
const leastEncoded = 16
const mostEncoded = 65_536

/** https://www.rfc-editor.org/rfc/rfc4648, also of URLs. */
const base64 = makeCharacterSet(/[A-Za-z0-9+/_=-]/)
/** With what may stand between two pairs of digits. */
const hex = makeCharacterSet(/[0-9A-Fa-fxX\\ :,-]/)
const hexTokens = /(?:0x|\\x)?([0-9A-Fa-f]+)/g
const lineEnd = /^\r?\n$/

/** `tokens`: the runs of at least 16 characters that base64 and more are made of. */
export const listEncoded = (
  text: string,
  tokens: ReadonlyArray<Span>
): ReadonlyArray<EncodedText> => {
  if (text.length < leastEncoded) return none
  const found: Array<EncodedText> = []
  /** Lines that follow each other are one run. */
  let joined: Span | undefined
  const close = (): void => {
    if (joined === undefined || joined.end - joined.start > mostEncoded) return
    const { end, start } = joined
    const decoded = decodeBase64(text.slice(start, end))
    if (decoded !== undefined) found.push({ start, end, decoded })
  }
  for (const { end: until, start: from } of tokens) {
    forEachRun(text.slice(from, until), base64, leastEncoded, (runStart, runEnd) => {
      const start = from + runStart
      const end = from + runEnd
      const isNext =
        joined !== undefined &&
        start - joined.end < 3 &&
        lineEnd.test(text.slice(joined.end, start))
      if (!isNext) close()
      joined = { start: isNext ? joined!.start : start, end }
    })
  }
  close()
  forEachRun(text, hex, leastEncoded, (start, end) => {
    if (end - start > mostEncoded) return
    const run = text.slice(start, end)
    addHex(run, start, found)
    addNumbers(run, start, found)
  })
  return found
}

const none: ReadonlyArray<EncodedText> = []

/** Long tokens are texts of their own, and pairs of digits that follow each other are one. */
const addHex = (run: string, offset: number, found: Array<EncodedText>): void => {
  let pairs = ""
  let first = 0
  let last = 0
  const add = (digits: string, start: number, end: number): void => {
    if (digits.length < leastEncoded || digits.length % 2 === 1) return
    const decoded = toText(
      Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
        Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
      )
    )
    if (decoded !== undefined) found.push({ start: offset + start, end: offset + end, decoded })
  }
  for (const { 0: token, 1: digits = "", index } of run.matchAll(hexTokens)) {
    if (digits.length === 2) {
      if (pairs === "") first = index
      pairs += digits
      last = index + token.length
      continue
    }
    add(pairs, first, last)
    pairs = ""
    add(digits, index, index + token.length)
  }
  add(pairs, first, last)
}

const numbers = /(?<![0-9A-Fa-f])(?:[01]{8}|\d{2,3})(?:[ ,:]{1,2}(?:[01]{8}|\d{2,3})){7,}/g

/** Numbers of characters, in binary or decimal digits. */
const addNumbers = (run: string, offset: number, found: Array<EncodedText>): void => {
  for (const { 0: list, index } of run.matchAll(numbers)) {
    const codes = (list.match(/\d+/g) ?? []).map((each) =>
      Number.parseInt(each, each.length === 8 ? 2 : 10)
    )
    if (!codes.every((code) => code >= 32 && code < 127)) continue
    found.push({
      start: offset + index,
      end: offset + index + list.length,
      decoded: String.fromCharCode(...codes)
    })
  }
}

const decodeBase64 = (run: string): string | undefined => {
  const digits = run
    .replaceAll(/[\r\n=]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
  // Words are letters too, and rarely have a valid length and a readable meaning.
  if (digits.length % 4 === 1) return undefined
  try {
    return toText(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** What texts have none of. */
const control = new RegExp(String.raw`[\x00-\x08\x0e-\x1f]`)

/** Undefined for what is no text. */
const toText = (bytes: Uint8Array): string | undefined => {
  for (const byte of bytes.subarray(0, 16)) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return undefined
  }
  try {
    const text = decoder.decode(bytes)
    return control.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
