import { SaxesParser } from "saxes"
import { assert, describe, it } from "vitest"
import { computeCalibrationFigures } from "../../../src/domains/calibration/fitGroup.ts"
import { reliabilityDiagram } from "../../../src/domains/calibration/reliabilityDiagram.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import { makeOverconfident } from "./labeledAnswers.ts"

const countElements = (svg: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  const parser = new SaxesParser()
  parser.on("opentag", ({ name }) => (counts[name] = (counts[name] ?? 0) + 1))
  parser.on("error", (problem) => {
    throw problem
  })
  parser.write(svg).close()
  return counts
}

describe("reliabilityDiagram", () => {
  it("is well-formed and has a dot for each bin with answers", () => {
    const { bins } = computeCalibrationFigures("noul", makeOverconfident(300, makeRandom(1), 2))
    const filled = bins.filter(({ count }) => count > 0).length
    const svg = reliabilityDiagram({ title: `<"a" & 'b'>`, notes: ["x < y"], before: bins, bins })
    assert.strictEqual(countElements(svg)["circle"], 2 * filled)
    assert.notInclude(svg, `<"a"`)
    assert.notInclude(svg, "NaN")
    assert.strictEqual(
      countElements(reliabilityDiagram({ title: "", bins: [] }))["circle"],
      undefined
    )
  })
})
