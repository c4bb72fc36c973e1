import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import { makeIoLogSink } from "../../../../src/engine/observability/broadcast/IoLog.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"

const generation: Generation = {
  id: GenerationId.make("gen"),
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  operation: "chat",
  configuration: 1,
  startedAt: 0,
  latencyMillis: 0,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
}

const always = { rate: 1, keys: null }

describe("IoLog", () => {
  it.effect("limits the bytes of waiting answers", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return Effect.gen(function* () {
      const log = yield* makeIoLogSink(() => promise)
      const offer = (output: string) =>
        log.offer(
          { generation, content: { input: "x", bytes: 1, output } },
          { broadcast: false, io: always }
        )
      offer("the one that is delivered")
      yield* TestClock.adjust(0)
      offer("y".repeat(600))
      offer("z".repeat(600))
      assert.deepStrictEqual(log.report(), { waiting: 1, dropped: 1, failed: 0 })
    }).pipe(
      Effect.ensuring(Effect.sync(resolve)),
      Effect.scoped,
      Effect.provide(Settings.layer({ maxIoLogQueueBytes: 1_000 }))
    )
  })
})
