import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { NativeCall } from "../../../src/dialects/makeDialectChat.ts"
import { passOnResponses } from "../../../src/dialects/responses/passOnResponses.ts"
import { wrapReasoning } from "../../../src/dialects/responses/parseReasoningItem.ts"

type Json = Readonly<Record<string, unknown>>

const call: NativeCall = {
  model: "gpt-5",
  isStreamed: false,
  maxOutputTokens: 64_000,
  supportedParameters: undefined,
  serviceTier: undefined
}

const passOn = (body: Json, changes: Partial<NativeCall> = {}, family = "openai"): Json =>
  passOnResponses(body, { ...call, ...changes }, family)

const wrapped = wrapReasoning([
  { format: "anthropic-claude-v1", text: "Hm.", signature: "s==" },
  { format: "google-gemini-v1", id: "call_1", encrypted: "e==" }
])

const ours: ReadonlyArray<Json> = [
  { type: "reasoning", id: "rs_1", summary: [], encrypted_content: wrapped },
  { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "signalbox.broken" },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }] },
  { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null },
  { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "" },
  { type: "item_reference", id: "rs_1" }
]

const anyItem = fc.oneof(
  fc.record({ role: fc.constant("user"), content: fc.jsonValue() }),
  fc.record({
    type: fc.constant("reasoning"),
    id: fc.string(),
    summary: fc.array(fc.record({ type: fc.constant("summary_text"), text: fc.string() }), {
      maxLength: 2
    }),
    encrypted_content: fc.base64String({ minLength: 1 })
  }),
  fc.record({
    type: fc.constantFrom("function_call", "new_item"),
    call_id: fc.string(),
    arguments: fc.json()
  }),
  fc.dictionary(fc.string(), fc.jsonValue()).filter(({ type }) => type === undefined)
)

const anyBody = fc
  .record({
    input: fc.oneof(fc.string(), fc.array(anyItem, { maxLength: 5 })),
    fields: fc.dictionary(
      fc.constantFrom(
        "temperature",
        "reasoning",
        "text",
        "include",
        "service_tier",
        "__proto__",
        "new"
      ),
      fc.jsonValue()
    ),
    isLast: fc.boolean()
  })
  .map(({ fields, input, isLast }): Json => {
    const own = { input, store: false, model: call.model }
    return isLast ? { ...fields, ...own } : { ...own, ...fields }
  })

describe("passOnResponses", () => {
  it("changes no byte where nothing must change", () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom(undefined, false, true), (given, stream) => {
        const body = stream === undefined ? given : { stream, ...given }
        const isStreamed = stream === true
        assert.strictEqual(JSON.stringify(passOn(body, { isStreamed })), JSON.stringify(body))
      })
    )
  })

  it("leaves out reasoning that the provider cannot read, and nothing else", () => {
    fc.assert(
      fc.property(
        anyBody.filter(({ input }) => Array.isArray(input)),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ours)), { minLength: 1, maxLength: 5 }),
        (body, insertions) => {
          const input = [...(body["input"] as ReadonlyArray<unknown>)]
          for (const [at, item] of insertions) input.splice(at % (input.length + 1), 0, item)
          assert.strictEqual(JSON.stringify(passOn({ ...body, input })), JSON.stringify(body))
        }
      )
    )
  })

  it("returns wrapped reasoning to the provider that wrote it, in its own form", () => {
    const format = "azure-openai-responses-v1"
    const summary = [{ type: "summary_text", text: "Hm." }]
    const item = {
      type: "reasoning",
      id: "rs_ours",
      summary,
      encrypted_content: wrapReasoning([
        { format, id: "rs_7", isSummary: true, text: "Hm.", summaryIndex: 0 },
        { format, id: "rs_7", encrypted: "e==" }
      ])
    }
    assert.deepStrictEqual(passOn({ input: [item] }, {}, "azure")["input"], [
      { type: "reasoning", id: "rs_7", summary, encrypted_content: "e==" }
    ])
    assert.deepStrictEqual(passOn({ input: [item] })["input"], [])
  })

  it("keeps the content of every provider unchanged", () => {
    const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e==" }
    assert.deepStrictEqual(passOn({ input: [item] })["input"], [item])
    assert.deepStrictEqual(passOn({ input: [item] }, {}, "azure")["input"], [item])
  })

  it.each([undefined, null, true])("stores nothing, even when asked with %s", (store) => {
    const body = { input: "Hi", model: "gpt-5", ...(store === undefined ? undefined : { store }) }
    assert.strictEqual(JSON.stringify(passOn(body)), '{"input":"Hi","model":"gpt-5","store":false}')
  })

  it("keeps references to other items, which the provider reports as not found", () => {
    const input = [{ type: "item_reference", id: "msg_1" }]
    assert.deepStrictEqual(passOn({ input })["input"], input)
  })

  it("leaves out parameters that the endpoint does not list", () => {
    const body = {
      model: "gpt-5",
      input: "Hi",
      store: false,
      temperature: 0.5,
      max_output_tokens: 20,
      reasoning: { effort: "low" },
      text: { format: { type: "json_object" }, verbosity: "low" },
      tools: [{ type: "function", name: "f" }],
      tool_choice: "auto",
      parallel_tool_calls: false,
      include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
      top_logprobs: 2,
      prompt_cache_key: "k",
      service_tier: "flex",
      metadata: {},
      truncation: "auto"
    }
    const listed = (...names: ReadonlyArray<string>) =>
      passOn(body, { supportedParameters: new Set(names) })
    assert.deepStrictEqual(listed("max_completion_tokens", "verbosity", "reasoning"), {
      model: "gpt-5",
      input: "Hi",
      store: false,
      max_output_tokens: 20,
      reasoning: { effort: "low" },
      text: { verbosity: "low" },
      include: ["reasoning.encrypted_content"],
      metadata: {},
      truncation: "auto"
    })
    assert.notProperty(listed("temperature"), "text")
    const all = [
      "max_tokens",
      "temperature",
      "tools",
      "reasoning",
      "response_format",
      "verbosity",
      "logprobs",
      "top_logprobs",
      "prompt_cache_key",
      "service_tier"
    ]
    assert.strictEqual(JSON.stringify(listed(...all)), JSON.stringify(body))
  })

  it("asks for the tier that the endpoint sells", () => {
    const body = { model: "gpt-5", service_tier: "auto", input: "Hi", store: false }
    assert.strictEqual(
      JSON.stringify(passOn(body, { serviceTier: "priority" })),
      '{"model":"gpt-5","service_tier":"priority","input":"Hi","store":false}'
    )
  })
})
