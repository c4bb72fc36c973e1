/** Reads attacks that are written backwards or with each letter thirteen places on. */
import { hashWord } from "../characterRuns.ts"
import type { Span } from "../Detector.ts"
import { firstWords } from "./injectionRules.ts"
import { keywords } from "./spelling.ts"

export type Disguise = "backwards" | "rot13"

const reverse = (text: string): string => {
  let reversed = ""
  for (let at = text.length - 1; at >= 0; at--) reversed += text[at]!
  return reversed
}

/** The letters of each half of the alphabet stand for those of the other. */
const rotate = (text: string): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13))
  )

/** Shorter words are found in other words and languages. */
const leastLength = 5

/** The words that tell of a disguise. */
const disguised: ReadonlyArray<readonly [word: string, disguise: Disguise]> = [
  ...new Set([...firstWords, ...keywords])
].flatMap((word) =>
  word.length < leastLength
    ? []
    : [[reverse(word), "backwards"] as const, [rotate(word), "rot13"] as const]
)

export const disguisedWords: ReadonlyArray<string> = disguised.map(([word]) => word)

const byHash = new Map(disguised.map(([word, disguise]) => [hashWord(word), disguise]))

/** How a text is disguised that has a word with this hash; undefined: it is not. */
export const findDisguise = (hash: number): Disguise | undefined => byHash.get(hash)

/** A text of the same length, and where what is found in it is in the original. */
export interface Reading {
  readonly text: string
  readonly toOriginal: (span: Span) => Span
}

const isSame = (span: Span): Span => span

/** A text is backwards as a whole, or word by word. */
export const listReadings = (text: string, disguise: Disguise): ReadonlyArray<Reading> =>
  disguise === "rot13"
    ? [{ text: rotate(text), toOriginal: isSame }]
    : [
        {
          text: reverse(text),
          toOriginal: ({ end, start }) => ({ start: text.length - end, end: text.length - start })
        },
        { text: text.replaceAll(/[A-Za-z0-9]+/g, reverse), toOriginal: isSame }
      ]
