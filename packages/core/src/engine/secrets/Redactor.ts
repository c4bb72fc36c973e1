/** Redacts secrets from text. Made once for each secret, because deriving its encodings costs more than a search. */
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"

export interface Redactor {
  /** There is nothing to redact. */
  readonly isEmpty: boolean
  /** Redacts names and values of JSON, also with escaped characters. The result is JSON if `text` is. */
  readonly redactJson: (text: string) => string
  /** Redacts any text; JSON inside it may escape characters. */
  readonly redactText: (text: string) => string
  /**
   * The secrets in a text that may continue. `decidedUntil` is where an incomplete secret may begin; unless the text
   * `isOver`, nothing after it is decided.
   */
  readonly findSecrets: (
    text: string,
    from: number,
    isOver: boolean
  ) => { readonly found: ReadonlyArray<TextRange>; readonly decidedUntil: number }
  /** Whether the text may contain a secret, or so much of one that it must be held back. */
  readonly hasPossibleSecret: (text: string) => boolean
  /**
   * False: no name or value of the JSON contains a secret, and no value ends with the beginning of one. A plain text
   * search, so that most events of a stream need no other.
   */
  readonly hasPossibleSecretInJson: (text: string) => boolean
  /** The end of a text that may begin a secret but is too short to be held back. */
  readonly getPartialTail: (text: string) => string
}

interface TextRange {
  readonly start: number
  readonly end: number
}

export const makeRedactor = (secrets: Iterable<string>): Redactor => {
  const spellings = listAllSecretEncodings(secrets)
  if (spellings.length === 0) return emptyRedactor
  const heads = Array.from(new Set(spellings.map((spelling) => spelling.slice(0, headLength))))
  const headPattern = heads.map((each) => each.split("").map(toCharacterPattern).join("")).join("|")
  const suspect = new RegExp(headPattern)
  const jsonSuspect = new RegExp(toJsonPattern(heads))
  const tails = new RegExp(`(?:${heads.map(toTailPattern).join("|")}|${partialEscapePattern})$`)

  /** The first secret at or after `from`, the longest of several; `isCut`: the text ends before the secret does. */
  const search = (text: string, isJson: boolean) => {
    const candidates = new RegExp(headPattern, "g")
    return (
      from: number,
      isOver: boolean
    ): (TextRange & { readonly isCut: boolean }) | undefined => {
      candidates.lastIndex = from
      for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
        const start = match.index
        candidates.lastIndex = start + 1
        if (isJson && isInsideEscape(text, start)) continue
        for (const spelling of spellings) {
          const end = findEnd(text, start, spelling, isJson)
          if (end === truncated && !isOver) return { start, end: text.length, isCut: true }
          if (end > start) return { start, end, isCut: false }
        }
      }
      return undefined
    }
  }

  const replaceSecrets = (text: string, isJson: boolean): string => {
    if (!suspect.test(text)) return text
    const next = search(text, isJson)
    let output = ""
    let from = 0
    for (let found = next(0, true); found !== undefined; found = next(from, true)) {
      output += text.slice(from, found.start) + redactionMark
      from = found.end
    }
    return output + text.slice(from)
  }

  return {
    isEmpty: false,
    redactJson: (text) => replaceSecrets(text, true),
    redactText: (text) => replaceSecrets(text, false),
    findSecrets: (text, from, isOver) => {
      const found: Array<TextRange> = []
      const next = search(text, false)
      for (let position = from; ;) {
        const range = next(position, isOver)
        if (range === undefined) return { found, decidedUntil: text.length }
        if (range.isCut) return { found, decidedUntil: range.start }
        found.push(range)
        position = range.end
      }
    },
    hasPossibleSecret: (text) => suspect.test(text),
    hasPossibleSecretInJson: (text) => jsonSuspect.test(text),
    getPartialTail: (text) => tails.exec(text.slice(-longestTail))?.[0] ?? ""
  }
}

/** The replacement for a secret. */
export const redactionMark = "[redacted]"

const emptyRedactor: Redactor = {
  isEmpty: true,
  redactJson: (text) => text,
  redactText: (text) => text,
  findSecrets: (text) => ({ found: [], decidedUntil: text.length }),
  hasPossibleSecret: () => false,
  hasPossibleSecretInJson: () => false,
  getPartialTail: () => ""
}

/** Characters of a secret before it is recognised, so that a single letter does not delay ordinary text. */
const headLength = 4

/** An escape of JSON inside JSON inside JSON begins with four backslashes; before the first there may be others. */
const maxBackslashes = 8

const longestEscape = maxBackslashes + 5

/** All characters of a head but one, and a part of that one. */
const longestTail = headLength * longestEscape

const toHex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, "0")

/** A pattern of all encodings of one character, in JSON or plain. */
const toCharacterPattern = (unit: string, position: number): string => {
  const hex = toHex(unit)
  const escapes = [`u${hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`]
  for (const [letter, character] of Object.entries(shortEscapes)) {
    if (character === unit) escapes.push(letter === unit ? `\\u${hex}` : letter)
  }
  // In a run of backslashes, each one would start a match that runs to the end.
  const backslashes = position === 0 ? String.raw`(?<!\\)\\+` : `\\\\{1,${maxBackslashes}}`
  return `(?:\\u${hex}|${backslashes}(?:${escapes.join("|")}))`
}

const partialEscapePattern = String.raw`\\+(?:u[0-9a-fA-F]{0,3})?`

const toTailPattern = (text: string): string => {
  const [first = "", ...rest] = text.slice(0, -1).split("").map(toCharacterPattern)
  return `${first}${rest.reduceRight((inner, unit) => `(?:${unit}${inner})?`, "")}(?:${partialEscapePattern})?`
}

/**
 * Matches JSON with a head, with the beginning of a head or of an escape at the end of a value, or with an ASCII
 * character that is escaped by its code: then texts are searched one by one. Heads that JSON may escape otherwise make
 * it match everything.
 */
const toJsonPattern = (heads: ReadonlyArray<string>): string => {
  if (!heads.every((head) => plainPattern.test(head))) return ""
  const literals = heads.map((head) => head.split("").map((unit) => `\\u${toHex(unit)}`))
  const tails = literals
    .filter(({ length }) => length > 1)
    .map(
      ([first = "", ...rest]) =>
        first + rest.slice(0, -1).reduceRight((inner, unit) => `(?:${unit}${inner})?`, "")
    )
  const partialEscape = String.raw`\\\\(?:u[0-9a-fA-F]{0,3})?`
  const ends = [...tails, partialEscape].join("|")
  const asciiEscape = String.raw`\\u00[2-7]`
  const all = literals.map((units) => units.join(""))
  return [...all, asciiEscape, `(?:${ends})"(?!\\s*:)`].join("|")
}

/** JSON writes these characters as they are, or by their code. */
const plainPattern = /^[ !#-.0-[\]-~]+$/

/** The characters that the letters after a backslash stand for, except `u`. */
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t"
}

/** The text ends before the secret does. */
const truncated = -1

/** The end of an encoding that begins at `start`; 0: no encoding begins there. */
const findEnd = (text: string, start: number, spelling: string, isJson: boolean): number => {
  let at = start
  for (let i = 0; i < spelling.length; i++) {
    if (at === text.length) return truncated
    const code = text.charCodeAt(at)
    // Almost every character is unescaped.
    if (code !== backslash) {
      if (code !== spelling.charCodeAt(i) || (isJson && isEscapedInJson(code))) return 0
      at++
      continue
    }
    const most = i === 0 ? Infinity : maxBackslashes
    const length = measureMatch(text, at, { unit: spelling.charAt(i), isJson, most })
    if (length <= 0) return length
    at += length
  }
  return at
}

/** How many characters encode `unit` at the backslash at this position; 0: they encode another. */
const measureMatch = (
  text: string,
  at: number,
  { isJson, most, unit }: { readonly isJson: boolean; readonly most: number; readonly unit: string }
): number => {
  if (unit === "\\" && !isJson) return 1
  let from = at + 1
  while (from < at + most && text.charAt(from) === "\\") from++
  if (from === text.length) return truncated
  const letter = text.charAt(from)
  if (letter === "u") {
    const digits = text.slice(from + 1, from + 5)
    if (toHex(unit).startsWith(digits.toLowerCase()))
      return digits.length < 4 ? truncated : from + 5 - at
  } else if (shortEscapes[letter] === unit) return from + 1 - at
  return isJson && unit === "\\" && from - at > 1 ? 2 : 0
}

const isEscapedInJson = (code: number): boolean => code === quote || code < space

const quote = 34
const space = 32
const backslash = 92

/** A secret that begins with an `n` does not begin in the middle of `\n`. */
const isInsideEscape = (text: string, at: number): boolean => {
  for (let before = at - 1; before >= at - 5; before--) {
    if (text.charAt(before) !== "\\") continue
    let first = before
    while (text.charAt(first - 1) === "\\") first--
    // Two of them are one character.
    if ((before - first) % 2 === 1) return false
    return at < before + (text.charAt(before + 1) === "u" ? 6 : 2)
  }
  return false
}

/**
 * Each encoding is the part of the text that does not depend on its surroundings, and without which the secret cannot
 * be recovered.
 */
export const listSecretEncodings = (secret: string): ReadonlyArray<string> => {
  if (secret === "") return []
  // Encodings of shorter secrets occur in ordinary text.
  if (secret.length < minEncodedLength) return [secret]
  const bytes = encoder.encode(secret)
  const hex = Hex.encode(bytes)
  return Array.from(
    new Set([
      secret,
      ...(isNeverEscaped(secret) ? [] : listEscapedForms(secret)),
      ...[0, 1, 2].flatMap((before) => listBase64Forms(bytes, before)),
      hex,
      hex.toUpperCase()
    ])
  )
}

/** The encodings of several secrets without duplicates; the longest first, because one may be a prefix of another. */
const listAllSecretEncodings = (secrets: Iterable<string>): ReadonlyArray<string> =>
  Array.from(new Set(Array.from(secrets, listSecretEncodings).flat())).toSorted(
    (self, that) => that.length - self.length
  )

const minEncodedLength = 8

const encoder = new TextEncoder()

/** Characters that no encoding escapes. */
const isNeverEscaped = (secret: string): boolean => /^[\w.-]*$/.test(secret)

const listEscapedForms = (secret: string): ReadonlyArray<string> => {
  const urlEncoded = encodeURIComponent(secret.toWellFormed())
  const formEncoded = new URLSearchParams([["", secret]]).toString().slice(1)
  return [
    // Plain text may contain JSON.
    JSON.stringify(secret).slice(1, -1),
    urlEncoded,
    lowercaseEscapes(urlEncoded),
    formEncoded,
    lowercaseEscapes(formEncoded)
  ]
}

const lowercaseEscapes = (text: string): string =>
  text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())

/**
 * The characters that follow from the secret alone when `before` bytes precede it, like the user's name in
 * `Authorization: Basic`. Three bytes become four characters, so three more bytes give the same characters.
 */
const listBase64Forms = (bytes: Uint8Array, before: number): ReadonlyArray<string> => {
  const padded = new Uint8Array(before + bytes.length)
  padded.set(bytes, before)
  const from = Math.ceil((before * 8) / 6)
  const to = Math.floor((padded.length * 8) / 6)
  const encoded = Base64.encode(padded).slice(from, to)
  return [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]
}
