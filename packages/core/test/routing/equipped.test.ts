import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { equipped } from "../../src/routing/equipped.ts"
import type { Rejected } from "../../src/routing/Rejected.ts"
import { candidate } from "./candidate.ts"
import { planned, tagsOf } from "./planned.ts"

const taking = (provider: string, ...supportedParameters: ReadonlyArray<string>) =>
  candidate({ provider, supportedParameters })

const wanting = (...preferred: ReadonlyArray<string>) => ({
  parameters: [],
  preferred,
  inputTokens: 0,
  outputTokens: 0
})

const kept = (
  candidates: Parameters<typeof equipped>[0],
  ...preferred: ReadonlyArray<string>
): ReadonlyArray<string> => tagsOf(equipped(candidates, wanting(...preferred), []))

describe("equipped", () => {
  it("keeps those who take it, where there are any", () => {
    const both = [taking("with", "tools"), taking("without", "seed")]
    assert.deepStrictEqual(kept(both, "tools"), ["with"])
    assert.deepStrictEqual(kept(both, "verbosity"), ["with", "without"])
    assert.deepStrictEqual(kept(both), ["with", "without"])
  })

  it("keeps those of whom nobody says, for they are sent it; a tier has to be said", () => {
    const unknown = candidate({ provider: "unknown" })
    const all = [unknown, taking("with", "tools", "service_tier"), taking("without", "seed")]
    assert.deepStrictEqual(kept(all, "tools"), ["unknown", "with"])
    assert.deepStrictEqual(kept([unknown, taking("without")], "tools"), ["unknown"])
    assert.deepStrictEqual(kept(all, "service_tier"), ["with"])
  })

  it("knows what a name includes", () => {
    const both = [taking("with", "tools", "structured_outputs"), taking("without")]
    for (const name of ["tool_choice", "parallel_tool_calls", "response_format"]) {
      assert.deepStrictEqual(kept(both, name), ["with"])
    }
  })

  it("looks at each model by itself", () => {
    const other = candidate({ provider: "other", of: "a/c" })
    assert.deepStrictEqual(kept([taking("with", "tools"), other], "tools"), ["with", "other"])
  })

  it("lets the first of two that nobody takes together decide", () => {
    const apart = [taking("t", "tools"), taking("r", "structured_outputs")]
    assert.deepStrictEqual(kept(apart, "tools", "response_format"), ["t"])
  })

  it("says in the plan who was left out, and why", () => {
    const { ordered, rejected } = planned(
      [taking("without"), taking("with", "tools")],
      {},
      { demand: wanting("tools") }
    )
    assert.deepStrictEqual(tagsOf(ordered), ["with"])
    assert.deepStrictEqual(
      rejected.map(({ reasons }) => reasons.map(({ rule }) => rule)),
      [["preferred_parameters"]]
    )
  })

  it("never leaves a model without an endpoint, and loses nobody", () => {
    const name = fc.constantFrom("tools", "response_format", "verbosity")
    const model = fc.constantFrom("a/b", "a/c")
    fc.assert(
      fc.property(
        fc.array(fc.tuple(model, fc.array(name))),
        fc.array(name),
        (endpoints, preferred) => {
          const candidates = endpoints.map(([of, supportedParameters], i) =>
            candidate({ provider: `p${i}`, of, supportedParameters })
          )
          const rejected: Array<Rejected> = []
          const left = equipped(candidates, wanting(...preferred), rejected)
          const modelsOf = (some: typeof candidates) =>
            Array.from(new Set(some.map(({ endpoint }) => endpoint.model))).toSorted()
          assert.deepStrictEqual(modelsOf([...left]), modelsOf(candidates))
          assert.strictEqual(left.length + rejected.length, candidates.length)
        }
      )
    )
  })
})
