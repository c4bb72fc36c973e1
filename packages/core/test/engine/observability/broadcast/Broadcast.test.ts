import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { Destination } from "../../../../src/engine/observability/broadcast/Broadcast.ts"
import { ObservabilityPreferences } from "../../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import { Pipeline } from "../../../../src/engine/observability/broadcast/Pipeline.ts"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"

const generation: Generation = {
  id: GenerationId.make("one"),
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  configuration: 1,
  startedAt: 0,
  latencyMillis: 0,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
}

const hanging: Destination = () => new Promise(() => {})

describe("Broadcast", () => {
  it.effect("waits for hanging destinations concurrently when it closes", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      const destinations = [hanging, hanging, hanging, () => void received.push("the last one")]
      const scope = yield* Scope.make()
      const layer = Layer.provide(Pipeline.layer({ broadcast: destinations }), [
        Layer.mock(ObservabilityPreferences, { get: () => Effect.succeed({ broadcast: true }) }),
        Settings.layer({ drainTimeoutMillis: 5_000, broadcastTimeoutMillis: 60_000 })
      ])
      const context = yield* Layer.buildWithScope(layer, scope)
      yield* Effect.provideContext(
        Pipeline.useSync(({ dispatch }) =>
          dispatch({ generation, content: { input: "x", bytes: 1 } })
        ),
        context
      )
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(4_999)
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(received, ["the last one"])
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
