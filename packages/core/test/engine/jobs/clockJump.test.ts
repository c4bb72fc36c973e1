import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { DurableJobs } from "../../../src/engine/jobs/DurableJobs.ts"
import * as JobKind from "../../../src/engine/jobs/JobKind.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { memoryJobStore } from "../../../src/memory/memoryJobStore.ts"
import { withJumps } from "../../withJumps.ts"

const jobs = DurableJobs.layer.pipe(
  Layer.provide([memoryTransaction, memoryJobStore]),
  Layer.provide(MemoryJournal.layer)
)

const kind = JobKind.make({ name: "kind", payload: Schema.Int })

it.effect.each([
  ["forward", 86_400_000],
  ["back", -86_400_000]
] as const)(
  "a delayed step in memory runs when its delay has passed, although the clock jumps a day %s",
  ([, jump]) =>
    Effect.gen(function* () {
      const clock = withJumps(yield* Clock.Clock)
      yield* Effect.gen(function* () {
        const { offer, work } = yield* DurableJobs
        const ran: Array<number> = []
        yield* offer(kind, { id: "job", key: "job-1", payload: 1, delay: "60 seconds" })
        clock.jump(jump)
        yield* work(kind, {
          run: (n) => Effect.sync(() => void ran.push(n)),
          onExhausted: () => Effect.void
        })
        yield* TestClock.adjust(59_000)
        assert.deepStrictEqual(ran, [])
        yield* TestClock.adjust(1_000)
        assert.deepStrictEqual(ran, [1])
      }).pipe(Effect.provide(jobs), Effect.provideService(Clock.Clock, clock))
    })
)
