import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { type Strategy, priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import { compareSimulations } from "../../../src/domains/simulator/compareSimulations.ts"
import { renderSimulationHtml } from "../../../src/domains/simulator/report/renderHtml.ts"
import { renderSimulationText } from "../../../src/domains/simulator/report/describeComparison.ts"
import { simulate } from "../../../src/domains/simulator/simulate.ts"
import { summarizeRecording } from "../../../src/domains/simulator/summarizeRecording.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { alternating, model } from "./traffic.ts"

const hostile: Strategy = {
  name: `</title><script>alert("1")</script><img src=x onerror='y'>&`,
  first: ({ contenders }) => contenders.at(-1)!
}
const recording = alternating(200)
const comparison = compareSimulations(
  summarizeRecording(recording),
  [priceWeighted, hostile].map((strategy) => simulate({ recording, models: [model], strategy }))
)

describe("a report of simulations", () => {
  it("is text with a row for each run and the recording, and ranks no run that extrapolates", () => {
    const herd = { ...comparison.reports[1]!, name: "herd" }
    const load = { endpoint: "a/b@fast", reason: "load" as const, recorded: 5, simulated: 15 }
    const text = renderSimulationText(
      compareSimulations(comparison.recorded, [
        comparison.reports[0]!,
        { ...herd, extrapolates: [load] }
      ])
    )
    const lines = text.split("\n")
    assert.match(lines[0]!, /^strategy +rank +p50 ms/)
    assert.match(lines[2]!, /^as recorded +100 +300 +300 +0$/)
    assert.match(lines[3]!, /^price-weighted +1 /)
    assert.match(lines[4]!, /^herd +none /)
    assert.include(
      text,
      "herd extrapolates: up to 15 requests under way at a/b@fast, recorded 5; a queue there is unknown."
    )
    assert.include(text, "Not ranked, because the recording says too little about them: herd.")
  })

  it("is a page that needs no script and no other file, with every text escaped", () => {
    const page = renderSimulationHtml(comparison)
    assert.notMatch(page, /<script|<img|<link|<iframe|javascript:| style=["']| on\w+=["']/i)
    assert.notMatch(page, /(?:href|src)=["']|url\(/i)
    assert.include(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;")
    assert.notMatch(page, /NaN|Infinity|undefined/)
    const [, style = ""] = /<style>(.*)<\/style>/.exec(page) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    assert.include(page, `default-src 'none'; style-src 'sha256-${hash}'`)
    const svgs = page.match(/<svg [\s\S]*?<\/svg>/g) ?? []
    assert.lengthOf(svgs, 3)
    for (const svg of svgs) assertWellFormed(svg)
  })

  it("ranks by failures, then the 95th percentile, then the cost", () => {
    const [report] = comparison.reports
    const run = (name: string, failures: number, p95: number, cost: bigint) => ({
      ...report!,
      name,
      failures,
      p95,
      cost: NanoUsd.make(cost)
    })
    const { ranking } = compareSimulations(comparison.recorded, [
      run("fails", 1, 1, 1n),
      run("slow", 0, 200, 1n),
      run("dear", 0, 100, 2n),
      run("best", 0, 100, 1n)
    ])
    assert.deepStrictEqual(ranking, ["best", "dear", "slow", "fails"])
  })
})

/** Every element of the SVG is closed in order. */
const assertWellFormed = (svg: string): void => {
  const open: Array<string> = []
  for (const [, closing, name, selfClosing] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
    if (closing === "/") assert.strictEqual(open.pop(), name)
    else if (selfClosing !== "/") open.push(name!)
  }
  assert.deepStrictEqual(open, [])
}
