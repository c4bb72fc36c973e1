/** Runs detectors over a text as it is written, as it reads without tricks, and as it decodes. */
import { type Detection, type Detector, noDetections } from "./Detector.ts"
import { listEncoded } from "./encodings.ts"
import { normalise, type PlainText } from "./normalise.ts"
import { outlineText } from "./outlineText.ts"

/** Encodings in encodings; each level costs at most twice as much time as the one before. */
const maxDepth = 3

/** What each detector finds, in the order of the detectors. */
export const scan = (
  text: string,
  detectors: ReadonlyArray<Detector>
): ReadonlyArray<ReadonlyArray<Detection>> => scanTo(text, detectors, maxDepth)

const scanTo = (
  text: string,
  detectors: ReadonlyArray<Detector>,
  depth: number
): ReadonlyArray<ReadonlyArray<Detection>> => {
  const outline = outlineText(text)
  const found = detectors.map((detect) => detect(text, outline))
  if (depth === 0) return found
  const join = (at: number, more: ReadonlyArray<Detection>): void => {
    const before = found[at]!
    found[at] = before === noDetections ? more : [...before, ...more]
  }
  const plain = normalise(text)
  if (plain !== undefined) {
    for (const [at, inside] of scanTo(plain.text, detectors, depth - 1).entries()) {
      if (inside.length > 0)
        join(
          at,
          inside.map((each) => toOriginal(each, plain))
        )
    }
  }
  const encoded = new Map<number, Array<Detection>>()
  for (const { decoded, end, start } of listEncoded(text, outline.tokens)) {
    for (const [at, [first]] of scanTo(decoded, detectors, depth - 1).entries()) {
      if (first === undefined) continue
      const known = encoded.get(at) ?? []
      encoded.set(at, known)
      known.push({ ...first, start, end })
    }
  }
  for (const [at, inside] of encoded) join(at, inside)
  return found.map(dropRepeated)
}

const toOriginal = (detection: Detection, { ends, starts }: PlainText): Detection => ({
  ...detection,
  start: starts[detection.start]!,
  end: ends[detection.end - 1]!
})

/** The same content is found once, however it can be read: the longest reading. */
const dropRepeated = (detections: ReadonlyArray<Detection>): ReadonlyArray<Detection> => {
  if (detections.length < 2) return detections
  const covered = new Map<string | undefined, number>()
  return detections
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ end, kind }) => {
      if (end <= (covered.get(kind) ?? 0)) return false
      covered.set(kind, end)
      return true
    })
}
