/** Runs detectors over a text as it is written, as it reads without tricks, and as it decodes. */
import { type Detection, type Detector, noDetections } from "./Detector.ts"
import { listEncoded } from "./encodings.ts"
import { normalise, type PlainText } from "./normalise.ts"

/** Encodings in encodings; each level costs at most as much time as the first. */
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
  const found = detectors.map((detect) => detect(text))
  const plain = normalise(text)
  if (plain !== undefined) {
    for (const [at, detect] of detectors.entries()) {
      const inPlain = detect(plain.text)
      if (inPlain.length > 0)
        found[at] = join(
          found[at]!,
          inPlain.map((each) => toOriginal(each, plain))
        )
    }
  }
  if (depth === 0) return found
  for (const { decoded, end, start } of listEncoded(text)) {
    for (const [at, inside] of scanTo(decoded, detectors, depth - 1).entries()) {
      const [first] = inside
      if (first !== undefined) found[at] = join(found[at]!, [{ ...first, start, end }])
    }
  }
  return found
}

const toOriginal = (detection: Detection, { ends, starts }: PlainText): Detection => ({
  ...detection,
  start: starts[detection.start]!,
  end: ends[detection.end - 1]!
})

const join = (
  before: ReadonlyArray<Detection>,
  after: ReadonlyArray<Detection>
): ReadonlyArray<Detection> => (before === noDetections ? after : [...before, ...after])
