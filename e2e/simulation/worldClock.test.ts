/** SQLite on the clock of a simulated world. */
import { JobStore } from "@signalbox/core/stores"
import { sqlite } from "@signalbox/sql"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { layerWorldClock } from "./worldClock.ts"

const kind = "parcel"

it("delays a step of a job by the time of the world", async () => {
  const taken = Effect.gen(function* () {
    const { queue } = yield* JobStore
    yield* queue.offer({
      name: kind,
      id: "parcel-1",
      element: { weight: 3 },
      isCustomId: true,
      delay: Duration.minutes(10)
    })
    const taking = yield* Effect.forkChild(
      Effect.scoped(
        queue.take({ name: kind, maxAttempts: 3, retryDelay: () => Effect.succeed(Duration.zero) })
      )
    )
    yield* TestClock.adjust("9 minutes")
    const early = taking.pollUnsafe()
    yield* TestClock.adjust("2 minutes")
    return { early, late: taking.pollUnsafe() }
  })
  const stores = Layer.provideMerge(layerWorldClock, sqlite({ path: ":memory:" }))
  const { early, late } = await Effect.runPromise(
    Effect.provide(taken, Layer.provideMerge(stores, TestClock.layer()))
  )
  expect(early).toBeUndefined()
  expect(late).toMatchObject({ _tag: "Success", value: { id: "parcel-1", attempts: 1 } })
})
