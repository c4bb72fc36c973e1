import { SignalboxLanguageModel } from "@signalbox/core/ai"
import { fault, reply } from "@signalbox/testing"
import * as Chat from "effect/ai/Chat"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { findFinish, flipReason, startAi } from "./startAi.ts"

const question = { prompt: "Is it calm at sea?" }

describe("a text", () => {
  test("has its usage, its cost and how it was routed", async () => {
    const { first, readRecord, run } = await startAi()
    first.script(
      reply.chat("It is calm.", {
        usage: { inputTokens: 10, outputTokens: 4 },
        usageDetails: {
          prompt_tokens_details: { cached_tokens: 6 },
          completion_tokens_details: { reasoning_tokens: 3 }
        },
        systemFingerprint: "fp_1"
      })
    )
    const answer = await run(LanguageModel.generateText(question))
    expect(answer.text).toBe("It is calm.")
    expect(answer.finishReason).toBe("stop")
    expect(answer.usage).toMatchObject({
      inputTokens: { total: 10, cacheRead: 6, uncached: 4 },
      outputTokens: { total: 4, reasoning: 3, text: 1 }
    })
    const { metadata } = findFinish(answer.content)
    expect(metadata.signalbox).toMatchObject({
      generationId: expect.stringMatching(/^gen-/),
      model: "sea/pilot",
      provider: "first",
      cost: 0.018,
      isByok: false,
      systemFingerprint: "fp_1",
      routing: { attempts: [{ provider: "first", status: 200 }], rejected: [] }
    })
    expect(first.requests[0]?.body).toEqual({
      model: "sea/pilot",
      stream: false,
      messages: [{ role: "user", content: "Is it calm at sea?" }]
    })
    const record = await readRecord(metadata.signalbox?.generationId)
    expect(record).toMatchObject({ model: "sea/pilot", total_cost: 0.018, streamed: false })
  })

  test("comes from the next endpoint when the first one fails, which the metadata says", async () => {
    const { first, run, second } = await startAi()
    first.script(fault.status(503))
    second.script(reply.chat("It is calm."))
    const answer = await run(LanguageModel.generateText(question))
    expect(answer.text).toBe("It is calm.")
    expect(findFinish(answer.content).metadata.signalbox).toMatchObject({
      provider: "second",
      routing: {
        attempts: [
          { provider: "first", status: 503, error: "overloaded" },
          { provider: "second", status: 200 }
        ]
      }
    })
  })

  test.each([
    ["length", "length"],
    ["content_filter", "content-filter"],
    ["stop", "stop"]
  ])("that ends with %s has the finish reason %s", async (finishReason, expected) => {
    const { first, run } = await startAi()
    first.script(reply.chat("Half", { finishReason }))
    const answer = await run(LanguageModel.generateText(question))
    expect(answer.finishReason).toBe(expected)
  })

  test("is asked for by the settings of the call, and those of the layer where it has none", async () => {
    const { first, run, second } = await startAi()
    const cold = LanguageModel.generateText(question).pipe(
      SignalboxLanguageModel.withConfigOverride({
        temperature: 0,
        provider: { only: ["second"] },
        extra: { chat_template_kwargs: { enable_thinking: false } }
      })
    )
    await run(cold.pipe(SignalboxLanguageModel.withConfigOverride({ temperature: 1, seed: 7 })))
    expect(first.requests).toEqual([])
    expect(second.requests[0]?.body).toMatchObject({
      model: "sea/pilot",
      temperature: 0,
      seed: 7,
      chat_template_kwargs: { enable_thinking: false }
    })
  })

  test("answers files and every role of the prompt", async () => {
    const { first, run } = await startAi()
    const prompt = Prompt.make([
      { role: "system", content: "Be brief.", options: cached },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "file", mediaType: "image/png", data: Uint8Array.of(1, 2, 3) },
          { type: "file", mediaType: "image/*", data: "AQID" },
          { type: "file", mediaType: "image/jpeg", data: new URL("https://sea.example/a.jpg") },
          { type: "file", mediaType: "application/pdf", fileName: "a.pdf", data: "AQID" },
          { type: "file", mediaType: "audio/mpeg", data: "AQID" }
        ]
      },
      { role: "assistant", content: [{ type: "text", text: "The sea." }] },
      { role: "user", content: [{ type: "text", text: "And now?", options: cached }] }
    ])
    await run(LanguageModel.generateText({ prompt }))
    expect(first.requests[0]?.body).toMatchObject({
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: mark }] },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
            { type: "image_url", image_url: { url: "data:image/jpeg;base64,AQID" } },
            { type: "image_url", image_url: { url: "https://sea.example/a.jpg" } },
            {
              type: "file",
              file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AQID" }
            },
            { type: "input_audio", input_audio: { data: "AQID", format: "mp3" } }
          ]
        },
        { role: "assistant", content: "The sea." },
        { role: "user", content: [{ type: "text", text: "And now?", cache_control: mark }] }
      ]
    })
  })
})

test("an answer may have images and sources", async () => {
  const { first, run } = await startAi()
  first.script(
    reply.json({
      choices: [
        {
          index: 0,
          finish_reason: "stop",
          message: {
            role: "assistant",
            content: "Here.",
            images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }],
            annotations: [
              { type: "url_citation", url_citation: { url: "https://sea.example/", title: "Sea" } },
              { type: "file", file: {} }
            ]
          }
        }
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1 }
    })
  )
  const { content } = await run(LanguageModel.generateText(question))
  expect(content.find(({ type }) => type === "file")).toMatchObject({
    mediaType: "image/png",
    data: Uint8Array.of(1, 2, 3)
  })
  expect(content.find(({ type }) => type === "source")).toMatchObject({
    url: new URL("https://sea.example/"),
    title: "Sea"
  })
})

const mark = { type: "ephemeral", ttl: "1h" } as const
const cached = { signalbox: { cacheControl: mark } }

test("an object follows the schema that the provider is sent", async () => {
  const { first, run } = await startAi()
  first.script(reply.chat('{"calm":true,"knots":"3","gusts":null}'))
  const answer = await run(
    LanguageModel.generateObject({
      ...question,
      objectName: "weather",
      schema: Schema.Struct({
        calm: Schema.Boolean,
        knots: Schema.FiniteFromString,
        gusts: Schema.optionalKey(Schema.Finite)
      })
    })
  )
  expect(answer.value).toEqual({ calm: true, knots: 3 })
  expect(first.requests[0]?.body).toMatchObject({
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "weather",
        strict: true,
        schema: {
          type: "object",
          required: ["calm", "knots", "gusts"],
          additionalProperties: false
        }
      }
    }
  })
})

const Depths = Toolkit.make(
  Tool.make("measureDepth", {
    description: "Measures the depth of a bay in metres",
    parameters: Schema.Struct({ bay: Schema.String }),
    success: Schema.Struct({ metres: Schema.Finite }),
    failure: Schema.String,
    failureMode: "return"
  })
)
const depths = Depths.toLayer({
  measureDepth: ({ bay }) =>
    bay === "Kiel" ? Effect.succeed({ metres: 12 }) : Effect.fail("no such bay")
})

const callDepth = (id: string, args: string) =>
  reply.chat([], { toolCalls: [{ id, name: "measureDepth", arguments: args }] })

describe("tools", () => {
  test("are called, and their results go back in the next step of the chat", async () => {
    const { first, run } = await startAi()
    first.script(
      callDepth("call_1", '{"bay":"Kiel"}'),
      callDepth("call_2", '{"bay":"Atlantis"}'),
      reply.chat("12 metres.")
    )
    const steps = await run(
      Effect.gen(function* () {
        const chat = yield* Chat.empty
        const called = yield* chat.generateText({ ...question, toolkit: Depths })
        const failed = yield* chat.generateText({ prompt: [], toolkit: Depths })
        const last = yield* chat.generateText({ prompt: [], toolkit: Depths })
        return { called, failed, last }
      }).pipe(Effect.provide(depths))
    )
    expect(steps.called.finishReason).toBe("tool-calls")
    expect(steps.called.toolResults).toMatchObject([
      { name: "measureDepth", result: { metres: 12 }, isFailure: false }
    ])
    expect(steps.failed.toolResults).toMatchObject([{ result: "no such bay", isFailure: true }])
    expect(steps.last.text).toBe("12 metres.")
    expect(first.requests[0]?.body).toMatchObject({
      tool_choice: "auto",
      tools: [
        {
          type: "function",
          function: {
            name: "measureDepth",
            description: "Measures the depth of a bay in metres",
            parameters: { type: "object", properties: { bay: { type: "string" } } }
          }
        }
      ]
    })
    expect(first.requests[2]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          tool_calls: [
            { id: "call_1", function: { name: "measureDepth", arguments: '{"bay":"Kiel"}' } }
          ]
        },
        { role: "tool", tool_call_id: "call_1", content: '{"metres":12}' },
        { role: "assistant", tool_calls: [{ id: "call_2" }] },
        { role: "tool", tool_call_id: "call_2", content: "Error: no such bay" }
      ]
    })
  })

  test("without parameters still have properties, which providers require", async () => {
    const { first, run } = await startAi()
    const toolkit = Toolkit.make(Tool.make("readClock", { success: Schema.String }))
    await run(LanguageModel.generateText({ ...question, toolkit, disableToolCallResolution: true }))
    expect(first.requests[0]?.body).toMatchObject({
      tools: [{ function: { name: "readClock", parameters: { type: "object", properties: {} } } }]
    })
  })

  test("may be required by name, and arguments that are no JSON are a failure of the tool", async () => {
    const { first, run } = await startAi()
    first.script(callDepth("call_1", '{"bay":'))
    const answer = await run(
      LanguageModel.generateText({
        ...question,
        toolkit: Depths,
        toolChoice: { tool: "measureDepth" }
      }).pipe(Effect.provide(depths))
    )
    expect(first.requests[0]?.body).toMatchObject({
      tool_choice: { type: "function", function: { name: "measureDepth" } }
    })
    expect(answer.toolResults).toMatchObject([{ isFailure: true }])
  })

  test("that one provider runs are refused with what to do", async () => {
    const { first, run } = await startAi()
    const Search = Tool.providerDefined({
      id: "sea.search",
      customName: "Search",
      providerName: "search",
      success: Schema.String
    })
    const reason = await run(
      flipReason(
        LanguageModel.generateText({
          ...question,
          toolkit: Toolkit.make(Search()),
          disableToolCallResolution: true
        })
      )
    )
    expect(reason).toMatchObject({
      _tag: "InvalidUserInputError",
      description: expect.stringContaining("Define it with Tool.make")
    })
    expect(first.requests).toEqual([])
  })
})

describe("reasoning", () => {
  test("comes before the text, and goes back with its signature", async () => {
    const { first, run } = await startAi()
    first.script(reply.chat("Calm.", { reasoning: "The wind is weak." }), reply.chat("Still calm."))
    const answer = await run(
      Effect.gen(function* () {
        const chat = yield* Chat.empty
        const first = yield* chat.generateText(question)
        yield* chat.generateText({ prompt: "And now?" })
        return first
      }).pipe(SignalboxLanguageModel.withConfigOverride({ model: "sea/thinker" }))
    )
    expect(answer.reasoningText).toBe("The wind is weak.")
    expect(answer.reasoning[0]?.metadata.signalbox).toMatchObject({
      format: "anthropic-claude-v1",
      signature: expect.any(String)
    })
    expect(first.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            {
              type: "thinking",
              thinking: "The wind is weak.",
              signature: answer.reasoning[0]?.metadata.signalbox?.signature
            },
            { type: "text", text: "Calm." }
          ]
        },
        { role: "user" }
      ]
    })
  })
})
