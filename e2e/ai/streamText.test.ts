import { CurrentCaller, SignalboxLanguageModel } from "@signalbox/core/ai"
import { fault, pace, reply } from "@signalbox/testing"
import * as Chat from "effect/ai/Chat"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { findFinish, startAi } from "./startAi.ts"

const question = { prompt: "Is it calm at sea?" }
const asked = LanguageModel.streamText(question)

type Part = Response.StreamPart<{}>

/** The parts in short: a delta is its text. */
const summarize = (parts: ReadonlyArray<Part>): ReadonlyArray<string> =>
  parts.map((part) => ("delta" in part ? `${part.type} ${part.delta}` : part.type))

describe("a stream", () => {
  test("has the parts of the answer in order, then its usage and how it was routed", async () => {
    const { first, readRecord, run } = await startAi()
    first.script(
      reply.chat(["It is ", "calm."], {
        reasoning: "The wind is weak.",
        usage: { inputTokens: 10, outputTokens: 4 },
        usageDetails: { prompt_tokens_details: { cached_tokens: 6 } }
      })
    )
    const parts = await run(Stream.runCollect(asked))
    expect(summarize(parts)).toEqual([
      "response-metadata",
      "reasoning-start",
      "reasoning-delta The wind is weak.",
      "reasoning-end",
      "text-start",
      "text-delta It is ",
      "text-delta calm.",
      "text-end",
      "finish"
    ])
    expect(parts[0]).toMatchObject({
      modelId: "sea/pilot",
      metadata: { signalbox: { model: "sea/pilot", provider: "first" } }
    })
    const { metadata, reason, usage } = findFinish(parts)
    expect(reason).toBe("stop")
    expect(usage).toMatchObject({ inputTokens: { total: 10, cacheRead: 6, uncached: 4 } })
    expect(metadata.signalbox).toMatchObject({
      cost: 0.018,
      provider: "first",
      routing: { attempts: [{ provider: "first", status: 200 }] }
    })
    const record = await readRecord(metadata.signalbox?.generationId)
    expect(record).toMatchObject({ streamed: true, total_cost: 0.018 })
  })

  test("comes from the next endpoint when the first one fails before its first part", async () => {
    const { first, run, second } = await startAi()
    first.script(fault.status(429))
    second.script(reply.chat("Calm."))
    const parts = await run(Stream.runCollect(asked))
    expect(parts[0]).toMatchObject({ metadata: { signalbox: { provider: "second" } } })
    expect(findFinish(parts).metadata.signalbox).toMatchObject({
      routing: { attempts: [{ provider: "first", status: 429 }, { provider: "second" }] }
    })
  })

  test("is asked for by the settings and the caller of the stream", async () => {
    const { run, readRecord, second } = await startAi()
    const acme = { account: "acme", user: "ada", kind: "member" } as const
    const parts = await run(
      Stream.runCollect(
        asked.pipe(
          Stream.provideService(SignalboxLanguageModel.Config, { provider: { only: ["second"] } }),
          Stream.provideService(CurrentCaller, acme)
        )
      )
    )
    expect(second.requests).toHaveLength(1)
    const id = findFinish(parts).metadata.signalbox?.generationId
    expect(await readRecord(id, { caller: acme })).toMatchObject({ id, provider_name: "second" })
  })

  test("fails after its parts when the answer breaks off", async () => {
    const { first, run, second } = await startAi()
    first.script(fault.errorEvent(502, ["Half ", "of "]))
    const parts: Array<Part> = []
    const error = await run(
      Effect.flip(Stream.runForEach(asked, (part) => Effect.sync(() => parts.push(part))))
    )
    expect(summarize(parts)).toEqual([
      "response-metadata",
      "text-start",
      "text-delta Half ",
      "text-delta of "
    ])
    expect(error).toMatchObject({
      module: "SignalboxLanguageModel",
      method: "streamText",
      isRetryable: true,
      reason: {
        _tag: "InternalProviderError",
        metadata: {
          signalbox: {
            error: "AttemptsFailed",
            status: 502,
            generationId: expect.stringMatching(/^gen-/)
          }
        }
      }
    })
    expect(second.requests).toEqual([])
  })

  test("ends the call at the provider when its reader leaves", async () => {
    const { first, run } = await startAi()
    first.script(reply.chat(["It ", first.gate(), "is calm."]))
    const parts = await run(Stream.runCollect(Stream.take(asked, 3)))
    expect(summarize(parts)).toEqual(["response-metadata", "text-start", "text-delta It "])
    await first.waitForAborts(1)
  })

  test("signs its reasoning for the next request", async () => {
    const { first, run } = await startAi()
    first.script(reply.chat("Calm.", { reasoning: "The wind is weak." }), reply.chat("Still calm."))
    await run(
      Effect.gen(function* () {
        const chat = yield* Chat.empty
        yield* Stream.runDrain(chat.streamText(question))
        yield* Stream.runDrain(chat.streamText({ prompt: "And now?" }))
      }).pipe(SignalboxLanguageModel.withConfigOverride({ model: "sea/thinker" }))
    )
    expect(first.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "The wind is weak.", signature: expect.any(String) },
            { type: "text", text: "Calm." }
          ]
        },
        { role: "user" }
      ]
    })
  })

  test("runs tools, and their results go back in the next step", async () => {
    const { first, run } = await startAi()
    const Depths = Toolkit.make(
      Tool.make("depth of.bay", {
        parameters: Schema.Struct({ bay: Schema.String }),
        success: Schema.Finite
      })
    )
    const depths = Depths.toLayer({
      "depth of.bay": ({ bay }) => Effect.succeed(bay === "Kiel" ? 12 : 0)
    })
    first.script(
      reply.chat(["Let me see."], {
        toolCalls: [
          { id: "call_1", name: "depth_of_bay", arguments: '{"bay":"Kiel"}' },
          { id: "call_2", name: "depth_of_bay", arguments: '{"bay":"Jade"}' }
        ]
      }),
      reply.chat("12 metres.")
    )
    const parts = await run(
      Effect.gen(function* () {
        const chat = yield* Chat.empty
        const called = yield* Stream.runCollect(chat.streamText({ ...question, toolkit: Depths }))
        yield* Stream.runDrain(chat.streamText({ prompt: [], toolkit: Depths }))
        return called
      }).pipe(Effect.provide(depths))
    )
    expect(findFinish(parts).reason).toBe("tool-calls")
    expect(parts.filter(({ type }) => type === "tool-call")).toMatchObject([
      { id: "call_1", name: "depth of.bay", params: { bay: "Kiel" } },
      { id: "call_2", name: "depth of.bay", params: { bay: "Jade" } }
    ])
    expect(parts.filter(({ type }) => type === "tool-result")).toMatchObject([
      { id: "call_1", result: 12 },
      { id: "call_2", result: 0 }
    ])
    expect(first.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: [
            { id: "call_1", function: { name: "depth_of_bay" } },
            { id: "call_2", function: { name: "depth_of_bay" } }
          ]
        },
        { role: "tool", tool_call_id: "call_1", content: "12" },
        { role: "tool", tool_call_id: "call_2", content: "0" }
      ]
    })
  })
})

test("an interruption ends the call at the provider", async () => {
  const { first, run } = await startAi()
  first.always(pace.hold(first.gate()))
  await run(
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(LanguageModel.generateText(question))
      yield* Effect.promise(() => first.waitForRequests(1))
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => first.waitForAborts(1))
    })
  )
  expect(first.requests[0]?.aborted).toBe(true)
})
