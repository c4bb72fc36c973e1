import { chat } from "@signalbox/core"
import { Upstream } from "@signalbox/core/upstream"
import { layer } from "@signalbox/node"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"

class Voice extends Context.Service<Voice, string>()("test/Voice") {}

const makeSpeaker = (voice: Layer.Layer<Voice>): Layer.Layer<Upstream> =>
  Layer.effect(
    Upstream,
    Effect.map(Voice, (text) => ({
      slug: "speaker",
      name: "Speaker",
      chat: {
        complete: () =>
          Effect.succeed({
            choices: [
              { index: 0, answer: { parts: [{ type: "text", text }], end: { reason: "stop" } } }
            ],
            usage: { inputTokens: 1, outputTokens: 1 }
          }),
        stream: () => Stream.die("not streamed"),
        estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
      }
    }))
  ).pipe(Layer.provide(voice))

const models = [
  { id: "a/b", endpoints: [{ provider: "speaker", price: {}, contextLength: 8_192 }] }
]
const request = { model: "a/b", messages: [{ role: "user" as const, content: "Hello" }] }

test("a layer that an option and the application share is built once", async () => {
  let built = 0
  const voice = Layer.sync(Voice, () => `voice ${++built}`)
  const signalbox = layer({ upstreams: [makeSpeaker(voice)], models })
  const [answer, own] = await Effect.runPromise(
    Effect.all([chat(request), Effect.service(Voice)]).pipe(
      Effect.provide(Layer.merge(signalbox, voice))
    )
  )
  expect(answer.choices[0]?.message.content).toBe("voice 1")
  expect(own).toBe("voice 1")
  expect(built).toBe(1)
})

test("invalid options say what to correct", async () => {
  const invalid = layer({
    upstreams: [makeSpeaker(Layer.succeed(Voice, "x"))],
    models,
    settings: { totalTimeoutMillis: -1 }
  })
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(invalid)))
  const problem = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  expect(problem).toBeInstanceOf(RangeError)
  expect(problem).toMatchObject({ message: expect.stringContaining("totalTimeoutMillis") })
})
