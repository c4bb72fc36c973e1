/** Texts that are written in base64 or in hexadecimal digits. */
import { forEachRun, makeCharacterSet } from "./characterRuns.ts"
import type { Span } from "./pattern/LinearPattern.ts"

export interface EncodedText extends Span {
  readonly decoded: string
}

/** The bounds of what is decoded, in characters. A longer run is binary data. */
const leastEncoded = 16
const mostEncoded = 65_536

/** https://www.rfc-editor.org/rfc/rfc4648, also of URLs. */
const base64 = makeCharacterSet(/[A-Za-z0-9+/_=-]/)
/** With what may stand between two pairs of digits. */
const hex = makeCharacterSet(/[0-9A-Fa-fxX\\ :,]/)
const hexForm = /^(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ :,]{0,2}){8,}$/
const lineEnd = /^\r?\n$/

export const listEncoded = (text: string): ReadonlyArray<EncodedText> => {
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
  forEachRun(text, base64, leastEncoded, (start, end) => {
    const isNext =
      joined !== undefined && start - joined.end < 3 && lineEnd.test(text.slice(joined.end, start))
    if (!isNext) close()
    joined = { start: isNext ? joined!.start : start, end }
  })
  close()
  forEachRun(text, hex, leastEncoded, (start, end) => {
    if (end - start > mostEncoded) return
    const run = text.slice(start, end)
    const begin = run.length - run.trimStart().length
    const digits = run.trim().replace(/[ :,]+$/, "")
    if (!hexForm.test(digits)) return
    const decoded = decodeHex(digits)
    if (decoded !== undefined) {
      found.push({ start: start + begin, end: start + begin + digits.length, decoded })
    }
  })
  return found
}

const none: ReadonlyArray<EncodedText> = []

const decodeHex = (run: string): string | undefined => {
  const digits = run.replaceAll(/0x|\\x|[ :,]/gi, "")
  return toText(
    Uint8Array.from({ length: digits.length >> 1 }, (_, at) =>
      Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
    )
  )
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
