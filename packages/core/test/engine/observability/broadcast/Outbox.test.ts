import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { makeOutbox } from "../../../../src/engine/observability/broadcast/Outbox.ts"

const limits = { name: "the test", capacity: 3, timeoutMillis: 1_000, drainTimeoutMillis: 5_000 }

/** Runs everything that needs no time. */
const settle = TestClock.adjust(0)

const silent = Logger.layer([])

describe("Outbox", () => {
  it.effect("delivers in order", () =>
    Effect.gen(function* () {
      const got: Array<number> = []
      const outbox = yield* makeOutbox<number>({
        ...limits,
        deliver: ([item = 0]) => Effect.sync(() => void got.push(item))
      })
      outbox.offer(1)
      outbox.offer(2)
      yield* settle
      outbox.offer(3)
      yield* settle
      assert.deepStrictEqual(got, [1, 2, 3])
      assert.deepStrictEqual(outbox.report(), { waiting: 0, dropped: 0, failed: 0 })
    })
  )

  it.effect("drops what exceeds the queue, counts it, and continues", () =>
    Effect.gen(function* () {
      const got: Array<number> = []
      const gate = yield* Deferred.make<void>()
      const outbox = yield* makeOutbox<number>({
        ...limits,
        deliver: ([item = 0]) =>
          Effect.andThen(
            Deferred.await(gate),
            Effect.sync(() => void got.push(item))
          )
      })
      outbox.offer(0)
      yield* settle
      for (const item of [1, 2, 3, 4, 5]) outbox.offer(item)
      assert.deepStrictEqual(outbox.report(), { waiting: 3, dropped: 2, failed: 0 })
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      outbox.offer(6)
      yield* settle
      assert.deepStrictEqual(got, [0, 1, 2, 3, 6])
      assert.deepStrictEqual(outbox.report(), { waiting: 0, dropped: 2, failed: 0 })
    })
  )

  it.effect("drops what exceeds the byte limit, and accepts more once there is room", () =>
    Effect.gen(function* () {
      const got: Array<number> = []
      const outbox = yield* makeOutbox<number>({
        ...limits,
        weight: { capacity: 10, of: (item) => item },
        deliver: ([item = 0]) => Effect.sync(() => void got.push(item))
      })
      for (const item of [7, 4, 3, 1]) outbox.offer(item)
      assert.strictEqual(outbox.report().dropped, 2)
      yield* settle
      outbox.offer(10)
      yield* settle
      assert.deepStrictEqual(got, [7, 3, 10])
    })
  )

  it.effect("logs and counts failures and timeouts, and continues", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const got: Array<number> = []
      const outbox = yield* makeOutbox<number>({
        ...limits,
        deliver: ([item = 0]) => {
          if (item === 1) throw new Error("thrown")
          if (item === 2) return Effect.die("rejected")
          if (item === 3) return Effect.never
          return Effect.sync(() => void got.push(item))
        }
      }).pipe(Effect.provide(Logger.layer([logger])))
      for (const item of [1, 2, 3]) outbox.offer(item)
      yield* settle
      assert.strictEqual(outbox.report().failed, 2)
      outbox.offer(4)
      yield* TestClock.adjust(limits.timeoutMillis)
      assert.deepStrictEqual(got, [4])
      assert.deepStrictEqual(outbox.report(), { waiting: 0, dropped: 0, failed: 3 })
      assert.lengthOf(lines, 3)
    })
  )

  it.effect("delivers the rest when its scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const got: Array<number> = []
      const outbox = yield* Scope.provide(
        makeOutbox<number>({
          ...limits,
          deliver: ([item = 0]) =>
            Effect.andThen(
              Effect.sleep(100),
              Effect.sync(() => void got.push(item))
            )
        }),
        scope
      )
      for (const item of [1, 2, 3]) outbox.offer(item)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(300)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(got, [1, 2, 3])
    })
  )

  it.effect("gives up on a hanging destination when its scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const outbox = yield* Scope.provide(
        makeOutbox<number>({ ...limits, timeoutMillis: 60_000, deliver: () => Effect.never }),
        scope
      )
      outbox.offer(1)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(limits.drainTimeoutMillis - 1)
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(closing)
    }).pipe(Effect.provide(silent))
  )
})
