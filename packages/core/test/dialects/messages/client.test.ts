import Anthropic from "@anthropic-ai/sdk"
import { assert, describe, expect, it } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { type NamedEvent, encodeNamedEvent } from "../../../src/dialects/NamedEvent.ts"
import { makeMessagesEventWriter } from "../../../src/dialects/messages/writeEvents.ts"
import { writeMessagesErrorBody } from "../../../src/dialects/messages/writeMessagesError.ts"
import { pieceSizes, spokenParts, toBlocks, toDeltas } from "./streamArbitraries.ts"
import { writeStream } from "./streams.ts"

const params = {
  model: "acme/m",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "hi" }]
}

/** A client of a server that answers every request with the text that `respond` returns. */
const makeClient = Effect.fnUntraced(function* (respond: () => string, status = 200) {
  const server = yield* startRecordingServer((_, response) => {
    const text = respond()
    response.writeHead(status, {
      "content-type": status === 200 ? "text/event-stream" : "application/json"
    })
    response.end(text)
  })
  return new Anthropic({ apiKey: "sk-test", baseURL: server.url, maxRetries: 0 })
})

const encode = (events: ReadonlyArray<NamedEvent>) => events.map(encodeNamedEvent).join("")

describe("Anthropic's client", () => {
  it.effect("puts streamed answers together as they were said", () =>
    Effect.gen(function* () {
      let text = ""
      const client = yield* makeClient(() => text)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(spokenParts, pieceSizes, async (parts, sizes) => {
            text = encode(writeStream({ deltas: toDeltas(parts, sizes) }))
            const message = await client.messages.stream(params).finalMessage()
            expect(JSON.parse(JSON.stringify(message.content))).toEqual(
              JSON.parse(JSON.stringify(toBlocks(parts)))
            )
            const hasCalls = parts.some(({ type }) => type === "call")
            assert.strictEqual(message.stop_reason, hasCalls ? "tool_use" : "end_turn")
            assert.strictEqual(message.usage.output_tokens, 7)
          }),
          { numRuns: scaleRuns(300) }
        )
      )
    })
  )

  it.effect("takes arguments that the cap cut", () =>
    Effect.gen(function* () {
      const delta = {
        tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"x":"ab' } }]
      }
      const text = encode(writeStream({ deltas: [delta], finishReason: "length" }))
      const client = yield* makeClient(() => text)
      const message = yield* Effect.promise(() => client.messages.stream(params).finalMessage())
      assert.strictEqual(message.stop_reason, "max_tokens")
      expect(message.content).toMatchObject([{ type: "tool_use", id: "a", name: "f" }])
    })
  )

  it.effect("throws the error that ends a stream", () =>
    Effect.gen(function* () {
      const writer = makeMessagesEventWriter({ id: "gen-1", model: "m", inputTokens: 1 })
      const text = encode([...writer.start(), ...writer.fail({ status: 529, message: "busy" })])
      const client = yield* makeClient(() => text)
      const error = yield* Effect.promise(() =>
        client.messages
          .stream(params)
          .finalMessage()
          .then(
            () => undefined,
            (error: unknown) => error
          )
      )
      assert.instanceOf(error, Anthropic.APIError)
      expect(error.error).toEqual({
        type: "error",
        error: { type: "overloaded_error", message: "busy" }
      })
    })
  )

  it.effect("reads the body of an error", () =>
    Effect.gen(function* () {
      const body = writeMessagesErrorBody({ status: 429, message: "slow" }, "gen-1")
      const client = yield* makeClient(() => JSON.stringify(body), 429)
      const error = yield* Effect.promise(() =>
        client.messages.create(params).then(
          () => undefined,
          (error: unknown) => error
        )
      )
      assert.instanceOf(error, Anthropic.RateLimitError)
      assert.strictEqual(error.type, "rate_limit_error")
    })
  )
})
