import { assert, describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { ChatDelta, ChatEvent } from "../../../src/engine/upstreams/ChatCapability.ts"
import { ChatEventReader } from "../../../src/dialects/chat/readEvents.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { fromUsdNumber } from "../../../src/values/usage/NanoUsd.ts"

const chunk = (delta: unknown, rest: object = {}) => ({ choices: [{ index: 0, delta, ...rest }] })

type Chunk = Readonly<Record<string, unknown>>

/** The events of each chunk, followed by `[DONE]`. */
const readAll = (...chunks: ReadonlyArray<Chunk>) => {
  const reader = new ChatEventReader(({ cost }) =>
    typeof cost === "number" ? fromUsdNumber(cost) : undefined
  )
  return [...chunks.map((each) => reader.read(each)), reader.done()]
}

const spoken = (text: string, rest: Partial<ChatDelta> = {}): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: text === "" ? [] : [{ type: "text", text }], ...rest }]
})

describe("ChatEventReader", () => {
  it.each([
    ["the role alone", chunk({ role: "assistant" })],
    ["the role without content", chunk({ role: "assistant", content: "", refusal: null })],
    ["empty lists", chunk({ role: "assistant", tool_calls: [], reasoning_details: [] })],
    ["an empty delta", chunk({})],
    ["the role and an empty finish reason", chunk({ role: "assistant" }, { finish_reason: "" })],
    ["no delta", { choices: [{ index: 0, finish_reason: null, logprobs: null }] }],
    ["no choices", { choices: [] }],
    ["invalid choices", { choices: [null, 7] }],
    ["JSON that is not a chunk", { hello: "world", choices: "none" }]
  ])("emits nothing for %s", (_, event) => {
    assert.deepStrictEqual(readAll(event)[0], undefined)
  })

  it("drops the role, and keeps every other field", () => {
    const [first] = readAll(chunk({ role: "assistant", content: "Hi", annotations: [1], x: null }))
    const native = { content: "Hi", annotations: [1], x: null }
    assert.deepStrictEqual(first, spoken("Hi", { native }))
  })

  it("keeps a key named __proto__", () => {
    const [first] = readAll(
      JSON.parse('{"choices":[{"delta":{"role":"assistant","__proto__":{"polluted":1}}}]}')
    )
    expect(JSON.stringify(first)).toContain('"native":{"__proto__":{"polluted":1}}')
  })

  it("emits a finish reason and logprobs without content", () => {
    assert.deepStrictEqual(
      readAll(chunk({}, { finish_reason: "length" }), chunk({}, { logprobs: { content: [] } })),
      [
        spoken("", { end: { reason: "length" } }),
        spoken("", { logprobs: { content: [] } }),
        { type: "end" }
      ]
    )
  })

  it("keeps the native finish reason", () => {
    const ends = [
      chunk({}, { finish_reason: "stop", native_finish_reason: "end_turn" }),
      chunk({}, { finish_reason: "stop", native_finish_reason: null })
    ]
    assert.deepStrictEqual(readAll(...ends).slice(0, 2), [
      spoken("", { end: { reason: "stop", nativeReason: "end_turn" } }),
      spoken("", { end: { reason: "stop" } })
    ])
  })

  it("reports the last usage and its cost with the end only", () => {
    const said = readAll(
      { model: "m-1", ...chunk({ content: "a" }), usage: null },
      {
        model: "m-2",
        ...chunk({ content: "b" }),
        usage: { prompt_tokens: 5, completion_tokens: 1 }
      },
      {
        choices: [],
        usage: {
          prompt_tokens: 5,
          completion_tokens: 2,
          total_tokens: 7,
          cost: 0.000_002,
          cost_details: { upstream_inference_cost: 0.1 },
          is_byok: false,
          prompt_tokens_details: { cached_tokens: 3, audio_tokens: null, text: "x" },
          completion_tokens_details: null
        }
      }
    )
    assert.deepStrictEqual(said, [
      spoken("a"),
      spoken("b"),
      undefined,
      {
        type: "end",
        model: "m-1",
        usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 3 },
        usageDetails: { prompt_tokens_details: { cached_tokens: 3 } },
        cost: fromUsdNumber(0.000_002)
      }
    ])
  })

  const finish = { finish_reason: "stop" }
  const second = { choices: [{ index: 1, delta: { content: "b" } }] }
  it.each([
    ["every choice has its finish reason", [chunk({ content: "a" }, finish)], true],
    ["no choice has", [chunk({ content: "a" })], false],
    ["another choice has none", [second, chunk({ content: "a" }, finish)], false],
    ["nothing was said", [], false],
    [
      "the usage follows",
      [chunk({ content: "a" }), chunk({}, finish), { choices: [], usage: { prompt_tokens: 1 } }],
      true
    ],
    ["more follows", [chunk({}, finish), chunk({}, { logprobs: { content: [] } })], true]
  ])("without [DONE], when %s: complete is %3$s", (_, chunks, isComplete) => {
    const reader = new ChatEventReader()
    for (const each of chunks) reader.read(each)
    assert.deepStrictEqual(reader.end?.(), isComplete ? { type: "end" } : undefined)
  })

  it.each([
    ["negative", { prompt_tokens: -1, completion_tokens: 1 }],
    ["broken", { prompt_tokens: 1.5, completion_tokens: 1 }],
    ["half", { prompt_tokens: 1 }],
    ["worded", { prompt_tokens: "1", completion_tokens: "1" }]
  ])("ignores a usage that is %s", (_, usage) => {
    assert.deepStrictEqual(readAll({ ...chunk({ content: "a" }), usage })[1], { type: "end" })
  })

  it("reads every count that may have its own price, also in a failure", () => {
    const usage = {
      prompt_tokens: 5,
      completion_tokens: 9,
      completion_tokens_details: { audio_tokens: 3, image_tokens: 2 },
      server_tool_use: { web_search_requests: 4 }
    }
    const counted = { audioOutputTokens: 3, imageOutputTokens: 2, webSearches: 4 }
    expect(readAll(chunk({ content: "a" }), { usage }).at(-1)).toMatchObject({ usage: counted })
    const [failure] = readAll({ usage, error: { message: "no" } })
    assert(failure instanceof UpstreamFailure)
    expect(failure.usage).toMatchObject(counted)
  })

  it("includes the usage in a failure", () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 }
    const [failure] = readAll({ error: { code: 502, message: "gone" }, usage, choices: [] })
    expect(failure).toMatchObject({
      kind: "server_error",
      detail: "gone",
      usage: { inputTokens: 5, outputTokens: 2 }
    })
  })

  it.each([
    ["a text", { error: "out of order" }, "out of order"],
    ["an object", { error: { message: "out of order" } }, "out of order"],
    [
      "an object of a choice",
      { choices: [{ error: { message: "out of order" } }] },
      "out of order"
    ],
    ["a finish reason", chunk({}, { finish_reason: "error" }), "the answer reports an error"],
    ["an empty object", { error: {} }, "the answer reports an error"]
  ])("finds an error that is %s", (_, event, detail) => {
    expect(readAll(event)[0]).toMatchObject({ kind: "server_error", detail })
  })

  it.each([[null], [undefined], [0], [false]])("ignores an error that is %s", (error) => {
    assert.deepStrictEqual(readAll({ error, ...chunk({ content: "a" }) })[0], spoken("a"))
  })

  it("accepts any JSON, and passes the content of deltas on", () => {
    const anything = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.record(
        {
          choices: fc.oneof(
            fc.jsonValue(),
            fc.array(
              fc.record(
                {
                  index: fc.jsonValue(),
                  delta: fc.oneof(
                    fc.jsonValue(),
                    fc.dictionary(fc.constantFrom("role", "content", "__proto__"), fc.jsonValue())
                  ),
                  finish_reason: fc.jsonValue(),
                  logprobs: fc.jsonValue(),
                  error: fc.jsonValue()
                },
                { requiredKeys: [] }
              )
            )
          ),
          usage: fc.jsonValue(),
          model: fc.jsonValue(),
          error: fc.jsonValue()
        },
        { requiredKeys: [] }
      )
    )
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), (chunks) => {
        const said = readAll(...chunks)
        const deltas = said.filter(isDelta)
        const failures = said.filter((each) => each instanceof UpstreamFailure)
        assert.isTrue(deltas.length > 0 || failures.length > 0)
        for (const { choices } of deltas) {
          assert.isAbove(choices.length, 0)
          for (const { events, index, native } of choices) {
            if (native === undefined) assert.isAtMost(events.length, 1)
            else assert.isFalse(Object.hasOwn(native, "role"))
            assert.isTrue(Number.isSafeInteger(index) && index >= 0)
          }
        }
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })
})

type ChatReading = ReturnType<typeof readAll>[number]

const isDelta = (said: ChatReading): said is Extract<ChatReading, { readonly type: "delta" }> =>
  said !== undefined && "type" in said && said.type === "delta"
