import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { estimateUsage } from "../../../src/domains/chat/estimateUsage.ts"
import { toSupportedParameters } from "../../../src/engine/catalog/endpoint/SupportedParameters.ts"
import { toUpstreamParameters } from "../../../src/domains/chat/toUpstreamParameters.ts"

const sent = (parameters: Readonly<Record<string, unknown>>, ...supported: Array<string>) =>
  toUpstreamParameters({ parameters, maxOutputTokens: 5 }, toSupportedParameters(supported))

describe("toUpstreamParameters", () => {
  it("caps the answer with a supported parameter, preferring the caller's", () => {
    const max = { max_tokens: 5 }
    const completion = { max_completion_tokens: 5 }
    assert.deepStrictEqual(sent(max, "max_tokens"), max)
    assert.deepStrictEqual(sent(max, "max_completion_tokens"), completion)
    assert.deepStrictEqual(sent(max, "max_completion_tokens", "max_tokens"), max)
    assert.deepStrictEqual(sent(completion, "max_tokens", "max_completion_tokens"), completion)
    assert.deepStrictEqual(sent({ ...max, max_completion_tokens: 9 }, "max_tokens"), max)
    assert.deepStrictEqual(sent(completion, "seed"), {})
  })

  it("requests the tier of the endpoint, not the caller's", () => {
    const [flex, takes] = ["flex", new Set(["service_tier"])] as const
    assert.deepStrictEqual(toUpstreamParameters({ parameters: {} }, takes, flex), {
      service_tier: flex
    })
    const parameters = { service_tier: "priority" }
    assert.deepStrictEqual(toUpstreamParameters({ parameters }, takes, flex), {
      service_tier: flex
    })
    assert.deepStrictEqual(toUpstreamParameters({ parameters }, takes), parameters)
    assert.deepStrictEqual(toUpstreamParameters({ parameters }, new Set(), flex), {})
  })

  it("sends parameters that belong to supported ones", () => {
    assert.deepStrictEqual(
      toUpstreamParameters(
        {
          parameters: {
            parallel_tool_calls: false,
            response_format: {},
            tool_choice: "auto",
            top_a: 1,
            tools: []
          }
        },
        toSupportedParameters(["tools", "structured_outputs"])
      ),
      { parallel_tool_calls: false, response_format: {}, tool_choice: "auto", tools: [] }
    )
  })

  it("sends every parameter to an endpoint without a list of parameters", () => {
    const parameters = {
      max_tokens: 5,
      temperature: 0,
      tools: [],
      tool_choice: "auto",
      whatever: 1
    }
    assert.deepStrictEqual(
      toUpstreamParameters({ parameters, maxOutputTokens: 5 }, undefined),
      parameters
    )
    assert.deepStrictEqual(
      toUpstreamParameters(
        { parameters: { max_tokens: 9, max_completion_tokens: 5 }, maxOutputTokens: 5 },
        undefined
      ),
      { max_tokens: 5, max_completion_tokens: 5 }
    )
    assert.deepStrictEqual(toUpstreamParameters({ parameters: {} }, undefined, "flex"), {
      service_tier: "flex"
    })
  })

  it("drops unsupported parameters, and changes no value", () => {
    const name = fc.constantFrom<Array<string>>(
      "seed",
      "stop",
      "tools",
      "__proto__",
      "constructor",
      "x"
    )
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), fc.array(name), (parameters, supported) => {
        const kept = Object.entries(parameters).filter(([key]) => supported.includes(key))
        assert.deepStrictEqual(
          Object.entries(toUpstreamParameters({ parameters }, new Set(supported))),
          kept
        )
      })
    )
  })
})

describe("estimateUsage", () => {
  it("is at least one token for each piece, and at most the worst case", () => {
    const count = fc.nat(10_000)
    fc.assert(
      fc.property(count, count, count, count, count, (inputTokens, pieces, characters, a, b) => {
        const usage = estimateUsage(
          { inputTokens },
          { pieces: () => pieces, characters: () => characters },
          { inputTokens: a, outputTokens: b }
        )
        assert.isAtMost(usage.inputTokens, a)
        assert.isAtMost(usage.outputTokens, b)
        assert.isAtLeast(usage.outputTokens, Math.min(pieces, b))
      })
    )
  })
})
