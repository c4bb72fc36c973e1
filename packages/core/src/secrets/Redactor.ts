/** Finds secrets in text and strikes them out: made once for each secret, because its spellings cost more than a search. */
import { spellingsOfAll } from "./spellingsOf.ts"

export interface Redactor {
  /** Nothing is looked for. */
  readonly isIdle: boolean
  /** Out of JSON, names as well as values, however their characters are escaped. What is left is JSON if `text` is. */
  readonly inJson: (text: string) => string
  /** Out of any text; JSON inside it may escape characters. */
  readonly inText: (text: string) => string
  /**
   * The secrets in a text that may go on. `certain`: where one may have begun of which more is to come; unless the
   * text `isOver`, nothing behind that is known.
   */
  readonly find: (
    text: string,
    from: number,
    isOver: boolean
  ) => { readonly found: ReadonlyArray<Stretch>; readonly certain: number }
  /** Whether a secret, or so much of one that it must be held back, may be in it. */
  readonly isSuspect: (text: string) => boolean
  /** The end of a text that may begin a secret, too short to be held back. */
  readonly tailOf: (text: string) => string
}

interface Stretch {
  readonly start: number
  readonly end: number
}

export const redactorOf = (secrets: Iterable<string>): Redactor => {
  const spellings = spellingsOfAll(secrets)
  if (spellings.length === 0) return idle
  const heads = Array.from(new Set(spellings.map((spelling) => spelling.slice(0, head))))
  const anywhere = heads.map((each) => each.split("").map(charactersFor).join("")).join("|")
  const suspect = new RegExp(anywhere)
  const tails = new RegExp(`(?:${heads.map(tailPattern).join("|")}|${begunEscape})$`)

  /** The first that begins at or behind `from`, and of those the longest; `isCut`: the text ends before its end. */
  const search = (text: string, isJson: boolean) => {
    const candidates = new RegExp(anywhere, "g")
    return (from: number, isOver: boolean): (Stretch & { readonly isCut: boolean }) | undefined => {
      candidates.lastIndex = from
      for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
        const start = match.index
        candidates.lastIndex = start + 1
        if (isJson && isInEscape(text, start)) continue
        for (const spelling of spellings) {
          const end = endOf(text, start, spelling, isJson)
          if (end === cut && !isOver) return { start, end: text.length, isCut: true }
          if (end > start) return { start, end, isCut: false }
        }
      }
      return undefined
    }
  }

  const strikeOut = (text: string, isJson: boolean): string => {
    if (!suspect.test(text)) return text
    const next = search(text, isJson)
    let left = ""
    let from = 0
    for (let found = next(0, true); found !== undefined; found = next(from, true)) {
      left += text.slice(from, found.start) + mark
      from = found.end
    }
    return left + text.slice(from)
  }

  return {
    isIdle: false,
    inJson: (text) => strikeOut(text, true),
    inText: (text) => strikeOut(text, false),
    find: (text, from, isOver) => {
      const found: Array<Stretch> = []
      const next = search(text, false)
      for (let place = from; ;) {
        const stretch = next(place, isOver)
        if (stretch === undefined) return { found, certain: text.length }
        if (stretch.isCut) return { found, certain: stretch.start }
        found.push(stretch)
        place = stretch.end
      }
    },
    isSuspect: (text) => suspect.test(text),
    tailOf: (text) => tails.exec(text.slice(-longestTail))?.[0] ?? ""
  }
}

/** What stands in the place of a secret. */
export const mark = "[redacted]"

const idle: Redactor = {
  isIdle: true,
  inJson: (text) => text,
  inText: (text) => text,
  find: (text) => ({ found: [], certain: text.length }),
  isSuspect: () => false,
  tailOf: () => ""
}

/** So much of a secret may be told before it is known for one: an ordinary text is not held up by a letter. */
const head = 4

/** An escape of JSON inside JSON inside JSON begins with four backslashes; before the first there may be others. */
const mostBackslashes = 8

const longestEscape = mostBackslashes + 5

/** All characters of a head but one, and a part of that one. */
const longestTail = head * longestEscape

const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, "0")

/** A pattern of all the ways to write one character of a text, in JSON or not. */
const charactersFor = (unit: string, position: number): string => {
  const hex = hexOf(unit)
  const escapes = [`u${hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`]
  for (const [letter, meant] of Object.entries(shortEscapes)) {
    if (meant === unit) escapes.push(letter === unit ? `\\u${hex}` : letter)
  }
  // Of many backslashes each would begin one, and be followed to their end.
  const backslashes = position === 0 ? String.raw`(?<!\\)\\+` : `\\\\{1,${mostBackslashes}}`
  return `(?:\\u${hex}|${backslashes}(?:${escapes.join("|")}))`
}

const begunEscape = String.raw`\\+(?:u[0-9a-fA-F]{0,3})?`

const tailPattern = (text: string): string => {
  const [first = "", ...rest] = text.slice(0, -1).split("").map(charactersFor)
  return `${first}${rest.reduceRight((inner, unit) => `(?:${unit}${inner})?`, "")}(?:${begunEscape})?`
}

/** What the letters behind a backslash mean, beside `u`. */
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
const cut = -1

/** Where a spelling that begins at `start` ends; 0: there is none. */
const endOf = (text: string, start: number, spelling: string, isJson: boolean): number => {
  let at = start
  for (let i = 0; i < spelling.length; i++) {
    if (at === text.length) return cut
    const most = i === 0 ? Infinity : mostBackslashes
    const length = lengthOf(text, at, { unit: spelling.charAt(i), isJson, most })
    if (length <= 0) return length
    at += length
  }
  return at
}

/** How many characters write `unit` at this place, escaped or not; 0: they write another. */
const lengthOf = (
  text: string,
  at: number,
  { isJson, most, unit }: { readonly isJson: boolean; readonly most: number; readonly unit: string }
): number => {
  const character = text.charAt(at)
  if (character === unit && !(isJson && isEscapedInJson(unit))) return 1
  if (character !== "\\") return 0
  let from = at + 1
  while (from < at + most && text.charAt(from) === "\\") from++
  if (from === text.length) return cut
  const letter = text.charAt(from)
  if (letter === "u") {
    const digits = text.slice(from + 1, from + 5)
    if (hexOf(unit).startsWith(digits.toLowerCase())) return digits.length < 4 ? cut : from + 5 - at
  } else if (shortEscapes[letter] === unit) return from + 1 - at
  return isJson && unit === "\\" && from - at > 1 ? 2 : 0
}

const isEscapedInJson = (unit: string): boolean => unit === '"' || unit === "\\" || unit < " "

/** A secret that begins with an `n` does not begin in the middle of `\n`. */
const isInEscape = (text: string, at: number): boolean => {
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
