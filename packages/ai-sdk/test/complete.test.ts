import type { LanguageModelV4Content } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { writeChoice } from "@signalbox/testing"
import { fromAiSdk } from "../src/index.ts"
import { makeFakeModel } from "./FakeModel.ts"
import { complete } from "./runChat.ts"

const lookup = {
  type: "function",
  function: {
    name: "look.up",
    description: "Looks it up.",
    parameters: { type: "object", properties: { word: { type: "string" } } },
    strict: true
  }
}

/** A request with a picture. */
const show = (url: string) => ({
  messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }]
})

describe("a whole answer", () => {
  it.effect("has the parts, the end, the usage and the names of the provider", () =>
    Effect.gen(function* () {
      const model = makeFakeModel({
        generate: () => ({
          content: [
            { type: "reasoning", text: "Hm.", providerMetadata: { fake: { signature: "s1" } } },
            { type: "text", text: "Calm." },
            {
              type: "source",
              sourceType: "url",
              id: "1",
              url: "https://sea.example",
              title: "Sea"
            },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
            { type: "tool-call", toolCallId: "c1", toolName: "look_up", input: '{"word":"sea"}' },
            {
              type: "tool-call",
              toolCallId: "c2",
              toolName: "x",
              input: "{}",
              providerExecuted: true
            }
          ],
          finishReason: { unified: "tool-calls", raw: "tool_use" },
          usage: {
            inputTokens: { total: 30, noCache: 10, cacheRead: 15, cacheWrite: 5 },
            outputTokens: { total: 9, text: 2, reasoning: 7 }
          },
          response: { id: "r1", modelId: "fake-2030" }
        })
      })
      const reply = yield* complete(fromAiSdk(model, { slug: "fake" }), {
        parameters: { tools: [lookup] }
      })
      const { choices, ...facts } = reply
      assert.deepStrictEqual(facts, {
        id: "r1",
        model: "fake-2030",
        usage: {
          inputTokens: 30,
          outputTokens: 9,
          cachedTokens: 15,
          cacheWriteTokens: 5,
          reasoningTokens: 7
        },
        usageDetails: {
          prompt_tokens_details: { cached_tokens: 15, cache_write_tokens: 5 },
          completion_tokens_details: { reasoning_tokens: 7 }
        }
      })
      assert.deepStrictEqual(writeChoice(choices[0]!).message, {
        role: "assistant",
        content: "Calm.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "look.up", arguments: '{"word":"sea"}' } }
        ],
        reasoning: "Hm.",
        reasoning_details: [
          {
            type: "reasoning.text",
            text: "Hm.",
            signature: '{"fake":{"signature":"s1"}}',
            format: "ai-sdk-fake.chat-v1",
            index: 0
          }
        ],
        images: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }],
        annotations: [
          { type: "url_citation", url_citation: { url: "https://sea.example", title: "Sea" } }
        ]
      })
      assert.strictEqual(choices[0]?.answer.end.reason, "tool_calls")
      assert.strictEqual(choices[0]?.answer.end.nativeReason, "tool_use")
    })
  )

  const ends = [
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content_filter"],
    ["tool-calls", "tool_calls"],
    ["other", "stop"]
  ] as const
  for (const [unified, reason] of ends) {
    it.effect(`that ends with ${unified} ends with ${reason}, and keeps the provider's word`, () =>
      Effect.gen(function* () {
        const model = makeFakeModel({ generate: () => ({ finishReason: { unified, raw: "why" } }) })
        const { choices } = yield* complete(fromAiSdk(model, { slug: "fake" }))
        assert.strictEqual(choices[0]?.answer.end.reason, reason)
        assert.strictEqual(choices[0]?.answer.end.nativeReason, "why")
      })
    )
  }

  it.effect("that broke off, reports an error or says nothing is a failure, with its usage", () =>
    Effect.gen(function* () {
      const usage = {
        inputTokens: { total: undefined, noCache: 3, cacheRead: 4, cacheWrite: undefined },
        outputTokens: { total: 2, text: undefined, reasoning: undefined }
      }
      const fail = (unified: "error" | "interrupted" | "other", text: string) =>
        Effect.flip(
          complete(
            fromAiSdk(
              makeFakeModel({
                generate: () => ({
                  content: text === "" ? [] : [{ type: "text", text }],
                  finishReason: { unified, raw: undefined },
                  usage
                })
              }),
              { slug: "fake" }
            )
          )
        )
      assert.strictEqual((yield* fail("error", "Ye")).kind, "server_error")
      assert.strictEqual((yield* fail("interrupted", "Ye")).kind, "invalid_answer")
      const empty = yield* fail("other", "")
      assert.strictEqual(empty.kind, "invalid_answer")
      assert.deepStrictEqual(empty.usage, { inputTokens: 7, outputTokens: 2, cachedTokens: 4 })
    })
  )

  it.effect(
    "of nonsense is an invalid answer or a defect of the model, never one of the host",
    () =>
      Effect.gen(function* () {
        for (const content of [undefined, null, "Yes.", [null], [{ type: "text" }], [{}]]) {
          const model = makeFakeModel({
            // Not what the types promise.
            generate: () => ({ content: content as unknown as Array<LanguageModelV4Content> })
          })
          const result = yield* Effect.result(complete(fromAiSdk(model, { slug: "fake" })))
          if (result._tag === "Failure") {
            assert.include(["invalid_answer", "defect"], result.failure.kind)
          }
        }
      })
  )
})

describe("a call", () => {
  it.effect("for several answers is refused", () =>
    Effect.gen(function* () {
      const model = makeFakeModel()
      const asked = complete(fromAiSdk(model, { slug: "fake" }), { parameters: { n: 2 } })
      assert.strictEqual((yield* Effect.flip(asked)).kind, "unsupported_parameter")
      assert.lengthOf(model.calls, 0)
    })
  )

  it.effect("has every setting that the AI SDK has a word for", () =>
    Effect.gen(function* () {
      const model = makeFakeModel()
      yield* complete(
        fromAiSdk(model, { slug: "fake", providerOptions: { fake: { user: "ada" } } }),
        {
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "Hi" }
          ],
          parameters: {
            max_tokens: 50,
            temperature: 0.5,
            top_p: 0.9,
            top_k: 40,
            presence_penalty: 0.1,
            frequency_penalty: 0.2,
            seed: 7,
            stop: "END",
            reasoning: { effort: "high" },
            tools: [lookup],
            tool_choice: { type: "function", function: { name: "look.up" } },
            response_format: {
              type: "json_schema",
              json_schema: { name: "word", description: "One.", schema: { type: "object" } }
            }
          }
        }
      )
      const { abortSignal, ...options } = model.calls[0]!
      assert.strictEqual(abortSignal?.aborted, false)
      assert.deepStrictEqual(options, {
        prompt: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "Hi" }] }
        ],
        tools: [
          {
            type: "function",
            name: "look_up",
            description: "Looks it up.",
            inputSchema: { type: "object", properties: { word: { type: "string" } } },
            strict: true
          }
        ],
        toolChoice: { type: "tool", toolName: "look_up" },
        maxOutputTokens: 50,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        seed: 7,
        stopSequences: ["END"],
        responseFormat: {
          type: "json",
          name: "word",
          description: "One.",
          schema: { type: "object" }
        },
        reasoning: "high",
        providerOptions: { fake: { user: "ada" } }
      })
    })
  )

  it.effect("is refused before it is made for what the model would miss", () =>
    Effect.gen(function* () {
      const model = makeFakeModel({
        supportedUrls: Promise.resolve({ "image/*": [/^https:\/\/ok\//] })
      })
      const upstream = fromAiSdk(model, { slug: "fake" })
      const refused = [
        { parameters: { tools: [{ type: "web_search" }] } },
        { messages: [{ role: "user", content: [{ type: "smell", smell: "salt" }] }] },
        { messages: [{ role: "tool", tool_call_id: "none", content: "?" }] },
        show("https://elsewhere/sea.png"),
        show("nowhere")
      ]
      for (const request of refused) {
        const failure = yield* Effect.flip(complete(upstream, request))
        assert.strictEqual(failure.kind, "unsupported_parameter")
      }
      assert.strictEqual(model.calls.length, 0)
      yield* complete(upstream, show("https://ok/sea.png"))
      yield* complete(upstream, show("data:image/png;base64,aGk="))
      assert.strictEqual(model.calls.length, 2)
    })
  )

  it.effect(
    "gets a tool of free text as a function with one text, and its calls back as text",
    () =>
      Effect.gen(function* () {
        const model = makeFakeModel({
          generate: () => ({
            content: [
              { type: "tool-call", toolCallId: "c1", toolName: "run", input: '{"input":"ls"}' }
            ]
          })
        })
        const { choices } = yield* complete(fromAiSdk(model, { slug: "fake" }), {
          parameters: { tools: [{ type: "custom", custom: { name: "run" } }] }
        })
        assert.deepInclude(writeChoice(choices[0]!).message, {
          tool_calls: [{ id: "c1", type: "custom", custom: { name: "run", input: "ls" } }]
        })
      })
  )

  it.effect("goes to the model of its name, and to that of its credential", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const upstream = fromAiSdk(
        (name) => {
          names.push(name)
          return makeFakeModel()
        },
        {
          slug: "fake",
          withCredential: (name, credential) => {
            names.push(`${name} with ${Redacted.value(credential)}`)
            return makeFakeModel()
          }
        }
      )
      yield* complete(upstream, { model: "one" })
      yield* complete(upstream, { model: "two", credential: Redacted.make("own") })
      assert.deepStrictEqual(names, ["one", "two with own"])
      assert.isUndefined(upstream.chat?.ignoresCredentials)
      assert.isTrue(fromAiSdk(makeFakeModel(), { slug: "fake" }).chat?.ignoresCredentials)
    })
  )
})

describe("fromAiSdk", () => {
  it("rejects models of other versions, and options that are none", () => {
    const old = { ...makeFakeModel(), specificationVersion: "v3" }
    // Hosts without types.
    assert.throws(() => fromAiSdk(old as never, { slug: "x" }), RangeError, "got v3")
    assert.throws(() => fromAiSdk("openai/gpt-5" as never, { slug: "x" }), RangeError, "v4")
    assert.throws(() => fromAiSdk(makeFakeModel(), {} as never), RangeError)
    assert.throws(() => fromAiSdk(makeFakeModel(), { slug: "x", maxImageTokens: -1 }), RangeError)
    assert.throws(() => fromAiSdk(makeFakeModel(), { slug: "x", model: 1 } as never), RangeError)
  })

  it.effect("fails a call whose function makes no model of version 4", () =>
    Effect.gen(function* () {
      const upstream = fromAiSdk(
        () => ({ ...makeFakeModel(), specificationVersion: "v3" }) as never,
        {
          slug: "fake"
        }
      )
      assert.strictEqual((yield* Effect.flip(complete(upstream))).kind, "defect")
    })
  )
})
