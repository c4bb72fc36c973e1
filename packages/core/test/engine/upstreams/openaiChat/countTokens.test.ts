/** What a provider's counts may mean, over all of them: the sources of single cases are in e2e/billing/providerUsage.ts. */
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { countTokens } from "../../../../src/engine/upstreams/openaiChat/parseChatUsage.ts"

const count = fc.nat(1_000_000)
const usage = fc.record({
  prompt: count,
  completion: count,
  total: fc.option(count, { nil: undefined }),
  cachedTokens: count,
  cacheWriteTokens: fc.constantFrom(0, 0, 10, 5_000),
  reasoningTokens: count
})

type Usage = typeof usage extends fc.Arbitrary<infer A> ? A : never

const countAll = ({ completion, prompt, total, ...parts }: Usage) => {
  const counted = countTokens(
    { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
    parts
  )
  if (counted === undefined) throw new Error("it counts nothing")
  return counted
}

const sum = (each: Usage) => {
  const { inputTokens, outputTokens } = countAll({ ...each, total: undefined })
  return inputTokens + outputTokens
}

describe("countTokens", () => {
  it("never counts less than what is reported", () => {
    fc.assert(
      fc.property(usage, (reported) => {
        const { inputTokens, outputTokens } = countAll(reported)
        expect(inputTokens).toBeGreaterThanOrEqual(reported.prompt)
        expect(outputTokens).toBeGreaterThanOrEqual(reported.completion)
      })
    )
  })

  it("counts no part twice where the total is that of prompt and completion", () => {
    fc.assert(
      fc.property(usage, fc.nat(100), fc.nat(100), (reported, cached, reasoning) => {
        const { completion, prompt } = reported
        const counted = countAll({
          ...reported,
          total: prompt + completion,
          cachedTokens: Math.floor((prompt * cached) / 100),
          cacheWriteTokens: 0,
          reasoningTokens: Math.floor((completion * reasoning) / 100)
        })
        expect(counted).toEqual({ inputTokens: prompt, outputTokens: completion })
      })
    )
  })

  it("counts all of a total that exceeds its parts, and no more", () => {
    fc.assert(
      fc.property(usage, count, (reported, beyond) => {
        const total = reported.prompt + reported.completion + beyond
        const { inputTokens, outputTokens } = countAll({
          ...reported,
          total,
          cachedTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: Math.min(reported.reasoningTokens, beyond)
        })
        expect(inputTokens + outputTokens).toBe(total)
      })
    )
  })

  it("counts what the provider reports more, where the parts are within their wholes", () => {
    fc.assert(
      fc.property(usage, count, (reported, more) => {
        const { cachedTokens, cacheWriteTokens, completion, prompt, reasoningTokens } = reported
        const within = {
          ...reported,
          prompt: Math.max(prompt, cachedTokens + cacheWriteTokens),
          reasoningTokens: Math.min(reasoningTokens, completion)
        }
        for (const name of ["prompt", "completion"] as const) {
          expect(sum({ ...within, [name]: within[name] + more })).toBe(sum(within) + more)
        }
      })
    )
  })

  it.each([Number.NaN, -1, 1.5, 2 ** 53, "10", "12.0", null])("counts nothing of %s", (bad) => {
    expect(countTokens({ prompt_tokens: bad, completion_tokens: 5 }, {})).toBeUndefined()
    expect(countTokens({ prompt_tokens: 5, completion_tokens: bad }, {})).toBeUndefined()
    expect(countTokens({ prompt_tokens: 5, completion_tokens: 7, total_tokens: bad }, {})).toEqual({
      inputTokens: 5,
      outputTokens: 7
    })
  })
})
