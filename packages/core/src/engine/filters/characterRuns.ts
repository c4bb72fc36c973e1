/** Fast walks over the characters of a text. */

/** A set of ASCII characters: 1 for each that belongs to it, by its code. */
export const makeCharacterSet = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => (pattern.test(String.fromCharCode(unit)) ? 1 : 0))

/** Calls back for each longest run of at least `least` characters of a set. */
export const forEachRun = (
  text: string,
  set: Uint8Array,
  least: number,
  onRun: (start: number, end: number) => void
): void => {
  const { length } = text
  // Every run that is long enough covers one of these places.
  for (let at = least - 1; at < length; at += least) {
    if (!isIn(set, text.charCodeAt(at))) continue
    let start = at
    while (start > 0 && isIn(set, text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < length && isIn(set, text.charCodeAt(end))) end++
    if (end - start >= least) onRun(start, end)
    at = end
  }
}

/** The codes of the characters of a text, 0 for what is not ASCII. Valid until the next call. */
const readUnits = (text: string): Uint8Array => {
  const units = takeMemory(text)
  if (!writeAscii(text, units)) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      units[at] = unit < 128 ? unit : 0
    }
  }
  return units
}

/** Faster than an expression by far. */
export const isAscii = (text: string): boolean => writeAscii(text, takeMemory(text))

const writeAscii = (text: string, units: Uint8Array): boolean => {
  const { read, written } = encoder.encodeInto(text, units)
  return read === text.length && written === read
}

const encoder = new TextEncoder()

/** A walk over bytes takes half as long as one over a string, and memory that is used again leaves no garbage. */
const takeMemory = ({ length }: string): Uint8Array =>
  length > memory.length ? new Uint8Array(length) : memory

const memory = new Uint8Array(65_536)

export const isIn = (set: Uint8Array, unit: number): boolean => unit < 128 && set[unit] === 1

/** Characters of words: letters and what is written for letters. */
const wordUnits = makeCharacterSet(/[A-Za-z0-9@$!]/)

/** A number for a character of a word, the same for a letter and what is written for it, from 1; 0: it is of no word. */
const letters = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (wordUnits[unit] === 0) return 0
  const character = String.fromCharCode(unit).toLowerCase()
  const at = "013457@$!".indexOf(character)
  const letter = at === -1 ? character : "oieastasi"[at]!
  return /\d/.test(letter) ? 27 + Number(letter) : letter.charCodeAt(0) - 96
})
const letterCount = 37

const toLetter = (unit: number): number => letters[unit] ?? 0

/** Weights that tell sets of letters apart, drawn once. */
const weights = Int32Array.from(
  { length: letterCount },
  (_, at) => Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(at * at + 7, 0x85ebca6b)
)

/** A number for a word in which digits may stand for letters; words with the same number are nearly always the same. */
export const hashWord = (text: string, start = 0, end = text.length): number => {
  let hash = 0
  for (let at = start; at < end; at++)
    hash = (Math.imul(hash, 31) + toLetter(text.charCodeAt(at))) | 0
  return hash
}

/** A number that does not depend on the order of the letters between the first and the last. */
export const hashShape = (text: string, start = 0, end = text.length): number => {
  let sum = 0
  for (let at = start; at < end; at++) sum = (sum + weights[toLetter(text.charCodeAt(at))]!) | 0
  const first = toLetter(text.charCodeAt(start))
  return (Math.imul(sum, 0x01000193) + first * 64 + toLetter(text.charCodeAt(end - 1))) | 0
}

/** Which words are worth a look: for each first and last letter, a bit for each length. */
export type WordFilter = Int32Array

/** Lets words through that begin, end and are as long as one of these, and words of one letter. */
export const makeWordFilter = (words: Iterable<string>): WordFilter => {
  const filter = new Int32Array(letterCount * letterCount)
  for (const word of words) {
    filter[toEnds(word.charCodeAt(0), word.charCodeAt(word.length - 1))]! |= toLengthBit(
      word.length
    )
  }
  for (let letter = 0; letter < letterCount; letter++) {
    filter[letter * letterCount + letter]! |= toLengthBit(1)
  }
  return filter
}

const toEnds = (first: number, last: number): number =>
  letters[first]! * letterCount + letters[last]!

const toLengthBit = (length: number): number => (length < 31 ? 1 << length : 0)

/** Where each word begins and where it ends, in turn, that a filter lets through. */
export const listWords = (text: string, filter: WordFilter): ReadonlyArray<number> => {
  const words: Array<number> = []
  const units = readUnits(text)
  const { length } = text
  for (let at = 0; at < length;) {
    while (at < length && wordUnits[units[at]!] !== 1) at++
    const start = at
    while (at < length && wordUnits[units[at]!] === 1) at++
    if (at === start) break
    const ends = toEnds(units[start]!, units[at - 1]!)
    if ((filter[ends]! & toLengthBit(at - start)) !== 0) words.push(start, at)
  }
  return words
}
