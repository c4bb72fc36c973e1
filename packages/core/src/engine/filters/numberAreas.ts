/** Where in a text numbers may be that are long enough for persons, cards and telephones: most texts have few. */
import { type Detection, type Detector, noDetections, type Span } from "./Detector.ts"

/** The digits of the shortest number that detectors look for, of which at most three characters stand between each two. */
const digits = /\d(?:\D{0,3}\d){6}/g
const leastDigits = 7
const maxBetween = 3

/** What detectors look at before a number, such as "social security number is ", and behind it. */
const before = 48
const behind = 20
/** Only so much of `before` is given up for an area that begins with a word. */
const spare = 16

/** The parts of a text with such numbers and what stands around them; they do not overlap. */
export const listNumberAreas = (text: string): ReadonlyArray<Span> => {
  if (text.length < leastDigits) return none
  let areas: Array<{ start: number; end: number }> | undefined
  digits.lastIndex = 0
  for (let match = digits.exec(text); match !== null; match = digits.exec(text)) {
    let last = digits.lastIndex - 1
    for (let at = last + 1; at < text.length && at - last <= maxBetween + 1; at++) {
      if (isDigit(text.charCodeAt(at))) last = at
    }
    digits.lastIndex = last + 1
    const start = findStart(text, match.index)
    const end = Math.min(text.length, last + 1 + behind)
    const previous = areas?.at(-1)
    if (previous !== undefined && start <= previous.end) previous.end = end
    else (areas ??= []).push({ start, end })
  }
  return areas ?? none
}

const none: ReadonlyArray<Span> = []

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57

/** Expressions look for beginnings of words, which a part of a text must not make up. */
const findStart = (text: string, at: number): number => {
  let start = Math.max(0, at - before)
  if (start === 0) return 0
  for (const last = start + spare; start < last && !/\s/.test(text[start]!);) start++
  return start
}

/** Looks where numbers may be only. What it finds has at least seven digits, and at most three characters between each two. */
export const inNumberAreas =
  (find: (text: string) => ReadonlyArray<Detection>): Detector =>
  (text, { numbers }) => {
    let found: Array<Detection> | undefined
    for (const { end, start } of numbers) {
      for (const each of find(text.slice(start, end))) {
        ;(found ??= []).push({ ...each, start: start + each.start, end: start + each.end })
      }
    }
    return found ?? noDetections
  }
