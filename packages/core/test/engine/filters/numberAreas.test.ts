/** Detectors of numbers look at parts of a text, and find there what they find in all of it. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { builtinDetectors } from "../../../src/engine/filters/builtinDetectors.ts"
import { outlineText } from "../../../src/engine/filters/outlineText.ts"
import { makePositives } from "./corpus.ts"

const slugs = ["credit-card", "national-id", "phone", "ssn"]
const values = makePositives(900, 5)
  .filter(({ slug }) => slugs.includes(slug))
  .map(({ value }) => value)

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...values),
      fc.constantFrom(
        "tel ",
        "hotel",
        "phone number is ",
        "ssn: ",
        "social security number ",
        "BSN "
      ),
      fc.constantFrom(" ", "-", ".", "+", "/", "(", ")", "_", "\n", ", ", "\u00e9", "\u{1f600}"),
      fc.stringMatching(/^[0-9]{1,10}$/),
      fc.stringMatching(/^[A-Za-z]{1,70}$/),
      fc.constant("and the lamps of the order came on Monday, of which some were broken ")
    ),
    { maxLength: 40 }
  )
  .map((parts) => parts.join(""))

it.each(slugs)("the same is found in parts of a text and in all of it: %s", (slug) => {
  const detect = builtinDetectors[slug]!
  fc.assert(
    fc.property(text, (text) => {
      const [inParts, inAll] = [
        outlineText(text),
        { numbers: [{ start: 0, end: text.length }], tokens: [], words: [] }
      ].map((outline) =>
        detect(text, outline).toSorted((a, b) => a.start - b.start || b.end - a.end)
      )
      expect(inParts).toEqual(inAll)
    }),
    { numRuns: 1_000 }
  )
})

it("a long text is searched in the parts that have numbers", () => {
  const { numbers } = outlineText(`${"word ".repeat(1_000)}1234 5678${" word".repeat(1_000)}`)
  expect(numbers).toHaveLength(1)
  expect(numbers[0]!.end - numbers[0]!.start).toBeLessThan(100)
})
