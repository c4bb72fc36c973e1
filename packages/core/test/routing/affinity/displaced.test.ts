/** Conversations whose endpoint fails for a while, with processes on one channel that each know only their own pins. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { followSuccess } from "../../../src/routing/affinity/findAffinity.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import { priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import { makeCandidate } from "../makeCandidate.ts"
import { makePlan } from "../plan/makePlan.ts"
import { startSharedProcesses } from "../plan/startSharedProcesses.ts"

const candidates = ["one", "two", "three"].map((provider) =>
  makeCandidate({
    provider,
    price: { prompt: "0.000001", completion: "0.000001", input_cache_read: "0.0000001" }
  })
)
const [failing] = candidates as [(typeof candidates)[0], ...typeof candidates]

/**
 * 60 conversations with a turn every 20 s, each turn in one of the processes by chance. After a minute an endpoint fails for
 * 45 s. Resolves to the endpoints of each conversation, in the order of its turns.
 */
const converse = Effect.fnUntraced(function* (
  processes: number,
  seed: number,
  returns: boolean = true
) {
  const instances = yield* startSharedProcesses(processes)
  const random = makeRandom(seed)
  const served = new Map<number, Array<string>>()
  for (let tick = 0; tick < 12 * 60; tick++) {
    const seconds = tick / 3
    const isFailing = seconds >= 60 && seconds < 105
    const key = Math.floor((tick % 60) * 71_000_003.7) >>> 0
    const { health, pins } = instances[Math.floor(random() * processes)]!
    const pinned = pins.find(key)
    const affinity = {
      by: "session_id" as const,
      key,
      ...(pinned === undefined ? undefined : { pinned }),
      ...(pinned === undefined || !returns ? undefined : { returns: true as const })
    }
    const planned = makePlan(
      candidates,
      {},
      {
        strategy: priceWeighted,
        affinity,
        health: health.snapshot(candidates.map(({ id }) => id)),
        seed: tick
      }
    )
    for (const candidate of planned.ordered) {
      if (!health.claim(candidate.id)) continue
      const at = health.time.now()
      const fails = isFailing && candidate.id === failing.id
      health.record({
        endpoint: candidate.id,
        startedAt: at,
        at,
        result: fails ? "failure" : "success",
        latencyMillis: 1
      })
      if (fails) continue
      followSuccess({ affinity, plan: planned }, candidate, pins)
      const turns = served.get(key) ?? []
      served.set(key, turns)
      turns.push(candidate.endpoint.provider)
      break
    }
    yield* TestClock.adjust(333.4)
  }
  return Array.from(served.values())
})

const countSwitches = (turns: ReadonlyArray<string>): number =>
  turns.filter((provider, at) => at > 0 && provider !== turns[at - 1]).length

const isDisplaced = (turns: ReadonlyArray<string>): boolean =>
  turns[0] === failing.endpoint.provider

describe("conversations whose endpoint fails for a while", () => {
  it.effect("move once and come back once, though each process knows only its own turns", () =>
    Effect.gen(function* () {
      for (const seed of [1, 2, 3]) {
        const all = yield* Effect.scoped(converse(4, seed))
        const displaced = all.filter(isDisplaced)
        const switches = displaced.map(countSwitches)
        assert.isAbove(switches.length, 10)
        assert.isTrue(all.every((turns) => isDisplaced(turns) || countSwitches(turns) === 0))
        // The processes see the recovery at different times, which may cost a turn in between.
        assert.isAtMost(sum(switches), 2.5 * switches.length)
        assert.isTrue(displaced.every((turns) => turns.at(-1) === failing.endpoint.provider))
        // Each of them leads to the same endpoint from every process.
        for (const turns of displaced) {
          const others = new Set(turns.filter((provider) => provider !== turns[0]))
          assert.isAtMost(others.size, 1)
        }
      }
    })
  )

  it.effect("would move to and fro if each process kept them where it served them last", () =>
    Effect.gen(function* () {
      const displaced = (yield* converse(4, 1, false)).filter(isDisplaced)
      assert.isAbove(sum(displaced.map(countSwitches)), 3 * displaced.length)
    })
  )

  it.effect("stay where they moved if one process serves them all", () =>
    Effect.gen(function* () {
      const displaced = (yield* converse(1, 1, false)).filter(isDisplaced)
      assert.isTrue(displaced.every((turns) => countSwitches(turns) === 1))
    })
  )
})

const sum = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)
