import { assert, describe, it } from "@effect/vitest"
import { type Questions, Settings } from "@signalbox/core"
import type { TokenUsage } from "@signalbox/core/stores"
import { sendJson } from "@signalbox/testing/recording"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ServerResponse } from "node:http"
import {
  makeCall,
  toCompletion,
  logprobsMode,
  getPrompt,
  makeScriptedEndpoint,
  probabilityMode
} from "./ScriptedEndpoint.ts"

const questions = (count: number): Questions =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`q${i}`, { type: "noul", instructions: `no ${i}?` }])
  )

const yes = toCompletion({ top: [["1", -0.01]] })

describe("calls of one Decision", () => {
  it.effect("run concurrently up to questionConcurrency", () =>
    Effect.gen(function* () {
      const open: Array<ServerResponse> = []
      const endpoint = yield* makeScriptedEndpoint((_, __, response) => {
        open.push(response)
        return undefined
      })
      const fiber = yield* endpoint.decide(makeCall(questions(5), logprobsMode)).pipe(
        Effect.updateService(Settings, (settings) => ({ ...settings, questionConcurrency: 2 })),
        Effect.forkChild
      )
      for (let answered = 0; answered < 5; answered++) {
        const expected = Math.min(5, answered + 2)
        yield* endpoint.waitForRequests(expected)
        assert.strictEqual(open.length, expected)
        sendJson(open[answered]!, yes)
      }
      const reply = yield* Fiber.join(fiber)
      assert.strictEqual(reply.verdicts.size, 5)
      assert.strictEqual(endpoint.requests.length, 5)
    })
  )

  it.effect("are aborted if one of them fails, and no other starts", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint((request, _, response) => {
        if (getPrompt(request).includes("no 2?")) {
          setImmediate(() => sendJson(response, { error: { message: "down" } }, 500))
        }
        return undefined
      })
      const fiber = yield* endpoint.decide(makeCall(questions(6), logprobsMode)).pipe(
        Effect.updateService(Settings, (settings) => ({ ...settings, questionConcurrency: 3 })),
        Effect.flip,
        Effect.forkChild
      )
      const failure = yield* Fiber.join(fiber)
      assert.strictEqual(failure.kind, "server_error")
      assert.strictEqual(endpoint.requests.length, 3)
      for (const request of endpoint.requests) {
        if (!request.text.includes("no 2?")) yield* request.aborted
      }
    })
  )

  it.effect("are all aborted by an interruption", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => undefined)
      const fiber = yield* Effect.forkChild(endpoint.decide(makeCall(questions(3), logprobsMode)))
      yield* endpoint.waitForRequests(3)
      yield* Fiber.interrupt(fiber)
      for (const request of endpoint.requests) yield* request.aborted
      assert.strictEqual(endpoint.requests.length, 3)
    })
  )

  it.effect("report their usage as they end, so that an interruption does not lose it", () =>
    Effect.gen(function* () {
      const open: Array<ServerResponse> = []
      const endpoint = yield* makeScriptedEndpoint((_, __, response) => {
        open.push(response)
        return undefined
      })
      const reported: Array<TokenUsage> = []
      const both = yield* Deferred.make<void>()
      const spent = (usage: TokenUsage) => {
        if (reported.push(usage) === 2) Deferred.doneUnsafe(both, Effect.void)
      }
      const fiber = yield* Effect.forkChild(
        endpoint.decide(makeCall(questions(3), logprobsMode, "state", spent))
      )
      yield* endpoint.waitForRequests(3)
      sendJson(open[2]!, toCompletion({ top: [["1", -0.01]], usage: [30, 3] }))
      sendJson(open[0]!, toCompletion({ refusal: "no", usage: [10, 1] }))
      yield* Deferred.await(both)
      yield* Fiber.interrupt(fiber)
      assert.sameDeepMembers(reported, [
        { inputTokens: 30, outputTokens: 3 },
        { inputTokens: 10, outputTokens: 1 }
      ])
    })
  )

  it.effect("are aborted by an interruption if one call asks all questions", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => undefined)
      const fiber = yield* Effect.forkChild(
        endpoint.decide(makeCall(questions(3), probabilityMode))
      )
      yield* endpoint.waitForRequests(1)
      yield* Fiber.interrupt(fiber)
      yield* endpoint.requests[0]!.aborted
    })
  )
})
