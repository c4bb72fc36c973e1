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

export const isIn = (set: Uint8Array, unit: number): boolean => unit < 128 && set[unit] === 1

/** What letters and what is written for letters count as, from 1; 0: no part of a word. */
const letters = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit).toLowerCase()
  const at = "013457@$!".indexOf(character)
  const letter = at === -1 || character === "" ? character : "oieastasi"[at]!
  if (/[a-z]/.test(letter)) return letter.charCodeAt(0) - 96
  return /\d/.test(letter) ? 27 + Number(letter) : 0
})

/** Weights that tell sets of letters apart, drawn once. */
const weights = Int32Array.from(
  { length: 40 },
  (_, at) => Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(at * at + 7, 0x85ebca6b)
)

/** A number for a word in which digits may stand for letters; words with the same number are nearly always the same. */
export const hashWord = (word: string): number => {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = stepHash(hash, letters[word.charCodeAt(at)] ?? 0)
  return hash
}

const stepHash = (hash: number, letter: number): number => (Math.imul(hash, 31) + letter) | 0

/** A number that does not depend on the order of the letters between the first and the last. */
export const hashShape = (word: string): number => {
  let sum = 0
  for (let at = 0; at < word.length; at++)
    sum = (sum + weights[letters[word.charCodeAt(at)] ?? 0]!) | 0
  return toShape(
    sum,
    letters[word.charCodeAt(0)] ?? 0,
    letters[word.charCodeAt(word.length - 1)] ?? 0
  )
}

const toShape = (sum: number, first: number, last: number): number =>
  (Math.imul(sum, 0x01000193) + first * 64 + last) | 0

/** Calls back for each word: its hash, the hash of its shape, and where it is. */
export const forEachWord = (
  text: string,
  onWord: (hash: number, shape: number, start: number, end: number) => void
): void => {
  const { length } = text
  let start = -1
  let hash = 0
  let sum = 0
  let first = 0
  let last = 0
  for (let at = 0; at <= length; at++) {
    const unit = at < length ? text.charCodeAt(at) : 0
    const letter = unit < 128 ? letters[unit]! : 0
    if (letter !== 0) {
      if (start === -1) {
        start = at
        hash = 0
        sum = 0
        first = letter
      }
      hash = (Math.imul(hash, 31) + letter) | 0
      sum = (sum + weights[letter]!) | 0
      last = letter
    } else if (start !== -1) {
      onWord(hash, toShape(sum, first, last), start, at)
      start = -1
    }
  }
}
