import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { preferSupporting } from "../../../src/routing/plan/findDroppedParameters.ts"
import type { RejectedCandidate } from "../../../src/routing/Reason.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { makePlan, toTags } from "./makePlan.ts"

const makeSupporting = (provider: string, ...supportedParameters: ReadonlyArray<string>) =>
  makeCandidate({ provider, supportedParameters })

const preferring = (...preferred: ReadonlyArray<string>) => ({
  parameters: [],
  preferredParameters: preferred,
  inputTokens: 0,
  outputTokens: 0
})

const filterTags = (
  candidates: Parameters<typeof preferSupporting>[0],
  ...preferred: ReadonlyArray<string>
): ReadonlyArray<string> => toTags(preferSupporting(candidates, preferring(...preferred), []))

describe("preferSupporting", () => {
  it("keeps the endpoints that support the parameter, if any do", () => {
    const both = [makeSupporting("with", "tools"), makeSupporting("without", "seed")]
    assert.deepStrictEqual(filterTags(both, "tools"), ["with"])
    assert.deepStrictEqual(filterTags(both, "verbosity"), ["with", "without"])
    assert.deepStrictEqual(filterTags(both), ["with", "without"])
  })

  it("keeps endpoints without a list of parameters, except for a service tier", () => {
    const unknown = makeCandidate({ provider: "unknown" })
    const all = [
      unknown,
      makeSupporting("with", "tools", "service_tier"),
      makeSupporting("without", "seed")
    ]
    assert.deepStrictEqual(filterTags(all, "tools"), ["unknown", "with"])
    assert.deepStrictEqual(filterTags([unknown, makeSupporting("without")], "tools"), ["unknown"])
    assert.deepStrictEqual(filterTags(all, "service_tier"), ["with"])
  })

  it("recognizes the parameters that a name includes", () => {
    const both = [makeSupporting("with", "tools", "structured_outputs"), makeSupporting("without")]
    for (const name of ["tool_choice", "parallel_tool_calls", "response_format"]) {
      assert.deepStrictEqual(filterTags(both, name), ["with"])
    }
  })

  it("decides for each model separately", () => {
    const other = makeCandidate({ provider: "other", of: "a/c" })
    assert.deepStrictEqual(filterTags([makeSupporting("with", "tools"), other], "tools"), [
      "with",
      "other"
    ])
  })

  it("prefers the first of two parameters that no endpoint supports together", () => {
    const apart = [makeSupporting("t", "tools"), makeSupporting("r", "structured_outputs")]
    assert.deepStrictEqual(filterTags(apart, "tools", "response_format"), ["t"])
  })

  it("explains in the plan which endpoints are left out", () => {
    const { ordered, rejected } = makePlan(
      [makeSupporting("without"), makeSupporting("with", "tools")],
      {},
      { requirements: preferring("tools") }
    )
    assert.deepStrictEqual(toTags(ordered), ["with"])
    assert.deepStrictEqual(
      rejected.map(({ reasons }) => reasons.map(({ rule }) => rule)),
      [["preferred_parameters"]]
    )
  })

  it("never leaves a model without endpoints, and accounts for every candidate", () => {
    const name = fc.constantFrom("tools", "response_format", "verbosity")
    const model = fc.constantFrom("a/b", "a/c")
    fc.assert(
      fc.property(
        fc.array(fc.tuple(model, fc.array(name))),
        fc.array(name),
        (endpoints, preferred) => {
          const candidates = endpoints.map(([of, supportedParameters], i) =>
            makeCandidate({ provider: `p${i}`, of, supportedParameters })
          )
          const rejected: Array<RejectedCandidate> = []
          const left = preferSupporting(candidates, preferring(...preferred), rejected)
          const modelsOf = (some: typeof candidates) =>
            Array.from(new Set(some.map(({ endpoint }) => endpoint.model))).toSorted()
          assert.deepStrictEqual(modelsOf([...left]), modelsOf(candidates))
          assert.strictEqual(left.length + rejected.length, candidates.length)
        }
      )
    )
  })
})
