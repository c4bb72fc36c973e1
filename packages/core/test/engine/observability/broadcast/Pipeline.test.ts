import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import {
  type ObservabilityPreference,
  ObservabilityPreferences
} from "../../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import { Pipeline } from "../../../../src/engine/observability/broadcast/Pipeline.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"

const makeGeneration = (id: string): Generation => ({
  id: GenerationId.make(id),
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
})

const content = { input: "x", bytes: 1 }

const settle = TestClock.adjust(0)

const observeDispatch = (
  preference: Effect.Effect<ObservabilityPreference>,
  maxQueuedBroadcasts = 10
) => {
  const dispatched: Array<string> = []
  return {
    dispatched,
    layer: Pipeline.layer({
      broadcast: [({ id }) => void dispatched.push(id)],
      ioLog: ({ generation }) => void dispatched.push(`io ${generation.id}`)
    }).pipe(
      Layer.provide(Layer.mock(ObservabilityPreferences, { get: () => preference })),
      Layer.provideMerge(Settings.layer({ maxQueuedBroadcasts })),
      Layer.merge(Logger.layer([]))
    )
  }
}

const everything: ObservabilityPreference = { broadcast: true, io: { rate: 1, keys: null } }

describe("Pipeline", () => {
  it.effect("does not wait for preferences, and dispatches once they are loaded", () =>
    Effect.gen(function* () {
      const preference = yield* Deferred.make<ObservabilityPreference>()
      const { layer, dispatched } = observeDispatch(Deferred.await(preference))
      yield* Effect.gen(function* () {
        const { dispatch } = yield* Pipeline
        dispatch({ generation: makeGeneration("one"), content })
        yield* settle
        assert.deepStrictEqual(dispatched, [])
        yield* Deferred.succeed(preference, everything)
        yield* settle
        assert.sameMembers(dispatched, ["one", "io one"])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("drops a generation whose preferences cannot be loaded, without failing", () =>
    Effect.gen(function* () {
      const { layer, dispatched } = observeDispatch(Effect.die(new Error("no store")))
      yield* Effect.gen(function* () {
        const { dispatch } = yield* Pipeline
        dispatch({ generation: makeGeneration("one"), content })
        yield* settle
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(dispatched, [])
    })
  )

  it.effect("limits the generations that wait for preferences", () =>
    Effect.gen(function* () {
      const preference = yield* Deferred.make<ObservabilityPreference>()
      const { layer, dispatched } = observeDispatch(Deferred.await(preference), 2)
      yield* Effect.gen(function* () {
        const { dispatch } = yield* Pipeline
        for (const id of ["one", "two", "three"])
          dispatch({ generation: makeGeneration(id), content })
        yield* Deferred.succeed(preference, { broadcast: true })
        yield* settle
        dispatch({ generation: makeGeneration("four"), content })
        yield* settle
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(dispatched, ["one", "two", "four"])
    })
  )

  it.effect("dispatches generations that wait for preferences when the instance closes", () =>
    Effect.gen(function* () {
      const preference = yield* Deferred.make<ObservabilityPreference>()
      const { layer, dispatched } = observeDispatch(Deferred.await(preference))
      yield* Effect.gen(function* () {
        const { dispatch } = yield* Pipeline
        dispatch({ generation: makeGeneration("one"), content })
        yield* Effect.forkDetach(Deferred.succeed(preference, { broadcast: true }))
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(dispatched, ["one"])
    })
  )
})
