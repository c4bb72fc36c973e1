/** Reads words of attacks that are scrambled, substituted, spaced or joined. */
import { hashShape, hashWord } from "../characterRuns.ts"
import { vocabulary } from "./injectionRules.ts"

export interface SpeltText {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

export const keywords: ReadonlyArray<string> = (
  "ignore disregard forget override bypass previous prior above instructions instruction prompt prompts system rules " +
  "reveal developer everything restrictions guidelines safety jailbreak unrestricted uncensored directives"
).split(" ")

/** With the same first and last letter and the same others in between, which readers and models read as the same word. */
const toShape = (word: string): string =>
  word[0]! + Array.from(word.slice(1, -1)).toSorted().join("") + word.at(-1)!
const byShape = new Map(keywords.map((word) => [toShape(word), word]))
const isKeyword = new Set(keywords)
const keywordHashes = new Set(keywords.map((word) => hashWord(word)))

/** The hashes of the shapes of keywords, also with a letter more, less or another in the middle. */
const shapes = new Set(
  keywords.flatMap((word) => {
    const near = [hashShape(word)]
    if (word.length < 6) return near
    // The last letter stays: systems are no misspelt system.
    for (let at = 1; at < word.length; at++) {
      if (at < word.length - 1) near.push(hashShape(word.slice(0, at) + word.slice(at + 1)))
      for (const letter of "abcdefghijklmnopqrstuvwxyz") {
        if (at < word.length - 1)
          near.push(hashShape(word.slice(0, at) + letter + word.slice(at + 1)))
        near.push(hashShape(word.slice(0, at) + letter + word.slice(at)))
      }
    }
    return near
  })
)

const leet: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i"
}

/** Scrambled, substituted and spaced letters as the words that they mean; undefined: there are none. */
export const spellOut = (text: string, words: ReadonlyArray<number>): SpeltText | undefined => {
  let plain = ""
  const starts: Array<number> = []
  const ends: Array<number> = []
  let copied = 0
  const copy = (end: number): void => {
    for (let at = copied; at < end; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
    plain += text.slice(copied, end)
    copied = end
  }
  const write = (word: string, start: number, end: number): void => {
    copy(start)
    for (let at = 0; at < word.length; at++) {
      starts.push(start)
      ends.push(end)
    }
    plain += word
    copied = end
  }
  /** The spaced letters so far. */
  let spaced = ""
  let spacedStart = 0
  let spacedEnd = -1
  const closeSpaced = (): void => {
    if (spaced.length > 3) write(divide(spaced), spacedStart, spacedEnd)
    spaced = ""
  }
  for (let at = 0; at < words.length; at += 2) {
    const start = words[at]!
    const end = words[at + 1]!
    if (end - start === 1) {
      if (spaced === "" || start - spacedEnd > maxSpace) {
        closeSpaced()
        spacedStart = start
      }
      spaced += toLetters(text.slice(start, end))
      spacedEnd = end
      continue
    }
    closeSpaced()
    if (!isMisspelt(text, start, end, hashWord(text, start, end))) continue
    const word = toWord(text.slice(start, end))
    if (word !== undefined) write(word, start, end)
  }
  closeSpaced()
  if (copied === 0) return undefined
  copy(text.length)
  return { text: plain, starts, ends }
}

/** Characters between two spaced letters. */
export const maxSpace = 3

const toLetters = (text: string): string =>
  text.replaceAll(/[0-9@$!]/g, (each) => leet[each] ?? each).toLowerCase()

/** The longest words first; the shortest of all are found in too many others. */
const parts = new RegExp(
  vocabulary
    .filter((word) => word !== "all" && word !== "any")
    .toSorted((a, b) => b.length - a.length)
    .concat("all", "any")
    .join("|"),
  "g"
)

/** Puts spaces between the words of rules. */
export const divide = (letters: string): string =>
  letters
    .replaceAll(parts, (word) => ` ${word} `)
    .replaceAll(/ {2,}/g, " ")
    .trim()

const toWord = (token: string): string | undefined => {
  const word = toLetters(token)
  if (isKeyword.has(word)) return word
  return word.length > 4 ? (byShape.get(toShape(word)) ?? findNear(word)) : undefined
}

/** A keyword of which one letter is missing, added or another. */
const findNear = (word: string): string | undefined =>
  keywords.find(
    (each) =>
      each.length > 5 &&
      each[0] === word[0] &&
      each.at(-1) === word.at(-1) &&
      Math.abs(each.length - word.length) <= 1 &&
      isOneOff(each, word)
  )

const isOneOff = (a: string, b: string): boolean => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length === b.length) return a.slice(at + 1) === b.slice(at + 1)
  return a.length > b.length ? a.slice(at + 1) === b.slice(at) : a.slice(at) === b.slice(at + 1)
}

/** Whether a word reads like a keyword that is written in another way. */
export const isMisspelt = (text: string, start: number, end: number, hash: number): boolean =>
  shapes.has(hashShape(text, start, end)) &&
  !(keywordHashes.has(hash) && !/[^A-Za-z]/.test(text.slice(start, end)))
