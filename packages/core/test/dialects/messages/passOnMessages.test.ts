import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { NativeCall } from "../../../src/dialects/makeDialectChat.ts"
import { passOnMessages } from "../../../src/dialects/messages/passOnMessages.ts"
import { wrapReasoning } from "../../../src/dialects/messages/thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

const call: NativeCall = {
  model: "claude-opus-4-8",
  isStreamed: false,
  maxOutputTokens: 64_000,
  supportedParameters: undefined,
  serviceTier: undefined
}

const passOn = (
  body: Json,
  changes: Partial<NativeCall> = {},
  options: { readonly bodyVersion?: string; readonly takesUrls?: boolean } = {}
): Json =>
  Result.getOrThrow(passOnMessages(body, { ...call, ...changes }, { takesUrls: true, ...options }))

const wrapped = wrapReasoning({ format: "openai-responses-v1", id: "rs_1", encrypted: "e==" })

const ours: ReadonlyArray<Json> = [
  { type: "thinking", thinking: "Hm.", signature: wrapped },
  { type: "thinking", thinking: "Hm.", signature: "" },
  { type: "thinking", thinking: "Hm." },
  { type: "redacted_thinking", data: wrapped },
  { type: "redacted_thinking", data: "" }
]

/** Texts of white space alone are refused, and so is white space at the end of the last answer. */
const anyText = fc.string().map((text) => `${text}.`)

/** Other ids are written in the alphabet of the API. */
const anyId = fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/)

const anyBlock = fc.oneof(
  fc.record({ type: fc.constant("text"), text: anyText }),
  fc.record({
    type: fc.constant("thinking"),
    thinking: fc.string(),
    signature: fc.base64String({ minLength: 1 })
  }),
  fc.record({ type: fc.constant("redacted_thinking"), data: fc.base64String({ minLength: 1 }) }),
  fc.record({
    type: fc.constant("tool_use"),
    id: anyId,
    name: fc.string(),
    input: fc.dictionary(fc.string(), fc.jsonValue())
  }),
  fc.record({
    type: fc.constantFrom("image", "new_block"),
    source: fc.record({ type: fc.constant("url"), url: fc.webUrl() })
  }),
  fc.dictionary(fc.string(), fc.jsonValue()).filter(({ type }) => type === undefined)
)

const anyMessage = fc.record({
  role: fc.constantFrom("user", "assistant", "system"),
  content: fc.oneof(anyText, fc.array(anyBlock, { minLength: 1, maxLength: 4 }))
})

/** In an order of its own, as any caller writes it. */
const anyBody = fc
  .record({
    messages: fc.array(anyMessage, { maxLength: 4 }),
    fields: fc.dictionary(
      fc.constantFrom(
        "temperature",
        "thinking",
        "output_config",
        "tools",
        "metadata",
        "__proto__",
        "new"
      ),
      fc.jsonValue()
    ),
    isLast: fc.boolean()
  })
  .map(({ fields, isLast, messages }): Json => {
    const own = { max_tokens: 5, messages, model: call.model }
    return isLast ? { ...fields, ...own } : { ...own, ...fields }
  })
  // The API refuses calls without tools.
  .filter(
    ({ messages, tools }) => offersSome(tools) || !JSON.stringify(messages).includes('"tool_use"')
  )

const offersSome = (tools: unknown): boolean => JSON.stringify(tools ?? []) !== "[]"

describe("passOnMessages", () => {
  it("changes no byte where nothing must change", () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom(undefined, false, true), (given, stream) => {
        const body = stream === undefined ? given : { stream, ...given }
        const isStreamed = stream === true
        assert.strictEqual(JSON.stringify(passOn(body, { isStreamed })), JSON.stringify(body))
      })
    )
  })

  it("leaves out thinking that Anthropic did not sign, and nothing else", () => {
    fc.assert(
      fc.property(
        anyBody,
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...ours)), {
          minLength: 1,
          maxLength: 5
        }),
        (body, insertions) => {
          const messages = (body["messages"] as ReadonlyArray<Json>).map((message) => ({
            ...message
          }))
          const lists = messages.flatMap(({ content }) =>
            Array.isArray(content) ? [content as Array<unknown>] : []
          )
          const before = JSON.stringify(body)
          const copy = structuredClone(body)
          for (const [which, at, block] of insertions) {
            const list = lists[which % Math.max(lists.length, 1)]
            list?.splice(at % (list.length + 1), 0, block)
          }
          assert.strictEqual(JSON.stringify(passOn({ ...copy, messages })), before)
        }
      )
    )
  })

  it("leaves out a message that held nothing else", () => {
    const body = {
      model: call.model,
      max_tokens: 5,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: ours },
        { role: "assistant", content: [] }
      ]
    }
    assert.deepStrictEqual(passOn(body)["messages"], [body.messages[0]])
  })

  it("keeps signatures that only look like ours in the middle", () => {
    const block = { type: "thinking", thinking: "", signature: `x${wrapped}` }
    const messages = [{ role: "assistant", content: [block] }]
    assert.deepStrictEqual(passOn({ messages })["messages"], messages)
  })

  it("leaves out parameters that the endpoint does not list", () => {
    const body = {
      model: call.model,
      max_tokens: 5,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 3,
      stop_sequences: ["."],
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      thinking: { type: "adaptive" },
      output_config: {
        effort: "high",
        format: { type: "json_schema", schema: {} },
        task_budget: 1
      },
      service_tier: "auto",
      metadata: { user_id: "u" },
      new_field: 1,
      messages: []
    }
    const listed = (...names: ReadonlyArray<string>) =>
      passOn(body, { supportedParameters: new Set(names) })
    assert.deepStrictEqual(listed("max_tokens", "temperature", "reasoning"), {
      model: call.model,
      max_tokens: 5,
      temperature: 0.5,
      thinking: body.thinking,
      output_config: { effort: "high", task_budget: 1 },
      metadata: body.metadata,
      new_field: 1,
      messages: []
    })
    const all = [
      "max_completion_tokens",
      "temperature",
      "top_p",
      "top_k",
      "stop",
      "tools",
      "reasoning",
      "response_format",
      "service_tier"
    ]
    assert.strictEqual(JSON.stringify(listed(...all)), JSON.stringify(body))
    const { max_tokens, output_config } = passOn(
      { ...body, output_config: { effort: "low" } },
      { supportedParameters: new Set(["temperature"]) }
    )
    // The API requires a cap.
    assert.strictEqual(max_tokens, 64_000)
    assert.isUndefined(output_config)
  })

  it("names the version of the API instead of the model", () => {
    const body = { model: "theirs", max_tokens: 5, messages: [] }
    assert.strictEqual(
      JSON.stringify(passOn(body, { isStreamed: true }, { bodyVersion: "vertex-2023-10-16" })),
      '{"max_tokens":5,"messages":[],"anthropic_version":"vertex-2023-10-16","stream":true}'
    )
  })

  it.each([
    [{ type: "image", source: { type: "url", url: "https://x.y/a.png" } }, ["source"]],
    [
      {
        type: "tool_result",
        tool_use_id: "t",
        content: [
          { type: "text", text: "" },
          { type: "document", source: { type: "url", url: "https://x.y" } }
        ]
      },
      ["content", 1, "source"]
    ],
    [
      {
        type: "document",
        source: {
          type: "content",
          content: [{ type: "image", source: { type: "url", url: "https://x.y" } }]
        }
      },
      ["source", "content", 0, "source"]
    ]
  ] as const)("refuses URLs where the provider does: %j", (block, path) => {
    const body = { max_tokens: 5, messages: [{ role: "user", content: [block] }] }
    expect(passOnMessages(body, call, { takesUrls: false })).toMatchObject({
      failure: {
        path: ["messages", 0, "content", 0, ...path],
        problem: expect.stringContaining("URL")
      }
    })
    assert.isTrue(Result.isSuccess(passOnMessages(body, call, { takesUrls: true })))
  })

  it("takes no text for a URL", () => {
    const body = { max_tokens: 5, messages: [{ role: "user", content: "https://x.y/a.png" }] }
    assert.isTrue(Result.isSuccess(passOnMessages(body, call, { takesUrls: false })))
  })
})
