/** What the detectors find and what they leave alone, in 22,000 lines. */
import { describe, expect, it } from "vitest"
import { builtinDetectors } from "../../../src/engine/filters/builtinDetectors.ts"
import { scan } from "../../../src/engine/filters/scan.ts"
import { makeNegatives, makePositives } from "./corpus.ts"

const slugs = Object.keys(builtinDetectors)
const detectors = Object.values(builtinDetectors)

const positives = makePositives(2_000, 7)
const negatives = makeNegatives(20_000, 11)

describe("the corpus", () => {
  const found = new Map(
    slugs.map((slug) => [slug, { of: 0, hits: 0, false: 0, examples: new Set<string>() }])
  )
  for (const { slug, text, value } of positives) {
    const counts = found.get(slug)!
    counts.of++
    const at = text.indexOf(value)
    const detections = scan(text, detectors)[slugs.indexOf(slug)]!
    const isFound = detections.some(({ end, start }) => start < at + value.length && end > at)
    if (isFound) counts.hits++
    else counts.examples.add(`missed ${JSON.stringify(text)}`)
  }
  for (const text of negatives) {
    for (const [at, detections] of scan(text, detectors).entries()) {
      if (detections.length === 0) continue
      const counts = found.get(slugs[at]!)!
      counts.false++
      counts.examples.add(`false ${JSON.stringify(text)}`)
    }
  }
  console.log(
    slugs
      .map((slug) => {
        const { examples, false: wrong, hits, of } = found.get(slug)!
        const figures = `${slug}: recall ${(hits / of).toFixed(4)}, precision ${(hits / (hits + wrong)).toFixed(4)}, of ${of} lines`
        return [figures, ...[...examples].slice(0, 3)].join("\n  ")
      })
      .join("\n")
  )

  it.each(slugs)("is told apart by the detector %s", (slug) => {
    const { examples, false: wrong, hits, of } = found.get(slug)!
    const some = [...examples].slice(0, 5).join("\n")
    expect(of).toBeGreaterThan(200)
    // What it got wrong stands in the message of a failure.
    const isGood = hits / of >= 0.98 && hits / (hits + wrong) >= 0.98
    expect(isGood ? "" : some).toBe("")
  })
})
