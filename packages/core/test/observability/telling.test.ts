import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { Broadcast } from "../../src/observability/Broadcast.ts"
import type { Generation } from "../../src/observability/Generation.ts"
import { IoLog } from "../../src/observability/IoLog.ts"
import { telling } from "../../src/observability/telling.ts"
import { type Wish, Wishes } from "../../src/observability/Wishes.ts"
import * as Settings from "../../src/Settings.ts"
import { defaultAccountId } from "../../src/values/AccountId.ts"
import { GenerationId } from "../../src/values/GenerationId.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"

const named = (id: string): Generation => ({
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

const observed = (wish: Effect.Effect<Wish>, broadcastQueue = 10) => {
  const told: Array<string> = []
  return {
    told,
    layer: Layer.mergeAll(
      Broadcast.layer([({ id }) => void told.push(id)]),
      IoLog.layer(({ generation }) => void told.push(`io ${generation.id}`)),
      Layer.mock(Wishes, { of: () => wish })
    ).pipe(Layer.provideMerge(Settings.layer({ broadcastQueue })), Layer.merge(Logger.layer([])))
  }
}

const everything: Wish = { broadcast: true, io: { rate: 1, keys: null } }

describe("telling", () => {
  it.effect("waits for no wishes, and tells when they are known", () =>
    Effect.gen(function* () {
      const wish = yield* Deferred.make<Wish>()
      const { layer, told } = observed(Deferred.await(wish))
      yield* Effect.gen(function* () {
        const tell = yield* telling
        yield* tell(named("one"), content)
        yield* settle
        assert.deepStrictEqual(told, [])
        yield* Deferred.succeed(wish, everything)
        yield* settle
        assert.sameMembers(told, ["one", "io one"])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("tells nobody of what is not known to be wished, and fails not", () =>
    Effect.gen(function* () {
      const { layer, told } = observed(Effect.die(new Error("no store")))
      yield* Effect.gen(function* () {
        const tell = yield* telling
        yield* tell(named("one"), content)
        yield* settle
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(told, [])
    })
  )

  it.effect("holds no more than may wait while wishes are slow", () =>
    Effect.gen(function* () {
      const wish = yield* Deferred.make<Wish>()
      const { layer, told } = observed(Deferred.await(wish), 2)
      yield* Effect.gen(function* () {
        const tell = yield* telling
        for (const id of ["one", "two", "three"]) yield* tell(named(id), content)
        yield* Deferred.succeed(wish, { broadcast: true })
        yield* settle
        yield* tell(named("four"), content)
        yield* settle
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(told, ["one", "two", "four"])
    })
  )

  it.effect("tells what was still asked about when the box was closed", () =>
    Effect.gen(function* () {
      const wish = yield* Deferred.make<Wish>()
      const { layer, told } = observed(Deferred.await(wish))
      yield* Effect.flatMap(telling, (tell) => tell(named("one"), content)).pipe(
        Effect.andThen(Effect.forkDetach(Deferred.succeed(wish, { broadcast: true }))),
        Effect.scoped,
        Effect.provide(layer)
      )
      assert.deepStrictEqual(told, ["one"])
    })
  )
})
