/** A conversation without what an endpoint does not support is one whose parameters were dropped before it was parsed. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { toSupportedParameters } from "../../../../src/engine/catalog/endpoint/SupportedParameters.ts"
import { limitConversation } from "../../../../src/domains/chat/said/SaidInTurns.ts"
import { toUpstreamParameters } from "../../../../src/domains/chat/toUpstreamParameters.ts"
import type { Conversation } from "../../../../src/conversation/Conversation.ts"
import { parseChatSettings } from "../../../../src/dialects/chat/parseRequest.ts"
import { writeChatParameters } from "../../../../src/dialects/chat/writeRequest.ts"
import { omitUndefined } from "../../../../src/values/ownFields.ts"
import { wholeConversation } from "../../../dialects/arbitraries.ts"

const number = fc.integer({ min: 1, max: 9 })
const anyOf = <A>(...values: ReadonlyArray<A>) =>
  fc.option(fc.constantFrom(...values), { nil: undefined })

/** With every setting that has a name in the chat dialect, and some that only this dialect has. */
const conversation: fc.Arbitrary<Conversation> = fc
  .tuple(
    wholeConversation,
    fc.record({
      answers: fc.option(number, { nil: undefined }),
      verbosity: anyOf("low", "high"),
      serviceTier: anyOf("flex", "default"),
      cache: anyOf({ type: "ephemeral" as const }),
      extra: fc.option(
        fc
          .dictionary(fc.constantFrom("store", "prompt_cache_key", "__proto__"), number, {
            minKeys: 1
          })
          .map((fields) => ({ dialect: "chat" as const, fields })),
        { nil: undefined }
      )
    }),
    fc.record(
      {
        topK: number,
        minP: number,
        topA: number,
        frequencyPenalty: number,
        presencePenalty: number,
        repetitionPenalty: number,
        seed: number,
        logitBias: fc.constant({ 7: -1 })
      },
      { requiredKeys: [] }
    )
  )
  .map(([said, settings, sampling]) => ({
    ...said,
    ...omitUndefined(settings),
    sampling: { ...said.sampling, ...sampling }
  }))

const names = [
  "__proto__",
  "cache_control",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "min_p",
  "n",
  "parallel_tool_calls",
  "presence_penalty",
  "prompt_cache_key",
  "reasoning",
  "reasoning_effort",
  "repetition_penalty",
  "response_format",
  "seed",
  "service_tier",
  "stop",
  "store",
  "structured_outputs",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_a",
  "top_k",
  "top_logprobs",
  "top_p",
  "verbosity"
]

const endpoint = fc.record({
  supported: fc.option(fc.subarray(names).map(toSupportedParameters), { nil: undefined }),
  tier: fc.constantFrom("default", "flex", "priority")
})

describe("limitConversation", () => {
  it("is the same as dropping parameters before they are parsed", () => {
    fc.assert(
      fc.property(conversation, endpoint, (said, { supported, tier }) => {
        const parameters = writeChatParameters(said)
        const { maxOutputTokens } = said
        const sent = toUpstreamParameters(
          { parameters, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) },
          supported,
          tier
        )
        const { turns, ...limited } = limitConversation(said, sent)
        assert.deepStrictEqual(turns, said.turns)
        assert.deepStrictEqual(limited, Result.getOrThrow(parseChatSettings(sent)))
      })
    )
  })

  it("leaves a conversation as it is for an endpoint that supports everything", () => {
    fc.assert(
      fc.property(conversation, (said) => {
        assert.deepStrictEqual(limitConversation(said, writeChatParameters(said)), said)
      })
    )
  })
})
