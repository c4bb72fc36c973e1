import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { fromAiSdk } from "../src/index.ts"
import { finish, makeFakeModel, streamOf } from "./FakeModel.ts"
import { complete, stream } from "./runChat.ts"

describe("what a model ignores", () => {
  it.effect("is logged once", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => void logged.push(message))
      const warnings = [{ type: "unsupported" as const, feature: "topK", details: "no such thing" }]
      const model = makeFakeModel({
        generate: () => ({ warnings }),
        stream: () => streamOf({ type: "stream-start", warnings }, finish)
      })
      const upstream = fromAiSdk(model, { slug: "fake" })
      const request = { parameters: { logit_bias: { 1: 1 }, min_p: 0.1, top_k: 40, user: "ada" } }
      const both = Effect.andThen(complete(upstream, request), stream(upstream, request))
      yield* Effect.provide(Effect.andThen(both, both), Logger.layer([logger]))
      assert.deepStrictEqual(logged.flat(), [
        'upstream "fake": fake is not sent logit_bias; fake is not sent min_p; fake is not sent user',
        'upstream "fake": fake: unsupported topK no such thing'
      ])
    })
  )
})
