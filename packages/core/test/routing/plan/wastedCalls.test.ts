/** How many calls reach an endpoint while it fails, from one process and from four that share what they see. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import { priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { makePlan } from "./makePlan.ts"
import { startSharedProcesses } from "./startSharedProcesses.ts"

const candidates = ["one", "two", "three"].map((provider) => makePricedCandidate(provider, 1))
const [failing] = candidates as [Candidate, ...Array<Candidate>]

const suspectMillis = 1_000
const timeoutMillis = 3_000

/**
 * 15 chats a second in all, 35 s healthy, then the endpoint answers 500, or hangs until its timeout, for 45 s. A chat that fails
 * goes on with the next candidate.
 */
const countCalls = Effect.fnUntraced(function* (
  processes: number,
  failure: "500" | "hang",
  seed: number
) {
  const instances = yield* startSharedProcesses(processes)
  const random = makeRandom(seed)
  /** By the tick of their time. */
  const later = new Map<number, Array<() => void>>()
  let calls = 0
  const tickMillis = 1_000 / 15
  const schedule = (tick: number, millis: number, run: () => void): void => {
    const at = tick + Math.max(1, Math.round(millis / tickMillis))
    later.set(at, [...(later.get(at) ?? []), run])
  }
  const tryNext = (
    { health }: (typeof instances)[number],
    tick: number,
    ordered: ReadonlyArray<Candidate>
  ): void => {
    const [candidate, ...rest] = ordered
    if (candidate === undefined) return
    const { id } = candidate
    if (!health.claim(id)) return tryNext({ ...instances[0]!, health }, tick, rest)
    const startedAt = health.time.now()
    const record = (result: "failure" | "success"): void =>
      health.record({ endpoint: id, startedAt, at: health.time.now(), result, latencyMillis: 100 })
    const fails = tick >= 35 * 15 && candidate === failing
    if (!fails) return schedule(tick, 150, () => record("success"))
    calls += 1
    const end = (at: number): void => {
      record("failure")
      tryNext({ ...instances[0]!, health }, at, rest)
    }
    if (failure === "500") return schedule(tick, 150, () => end(tick + 2))
    schedule(tick, suspectMillis, () => health.suspect(id))
    schedule(tick, timeoutMillis, () => {
      health.endSuspicion(id)
      end(tick + 45)
    })
  }
  for (let tick = 0; tick < (35 + 45) * 15; tick++) {
    for (const run of later.get(tick) ?? []) run()
    const instance = instances[Math.floor(random() * processes)]!
    const { ordered } = makePlan(
      candidates,
      {},
      {
        strategy: priceWeighted,
        health: instance.health.snapshot(candidates.map(({ id }) => id)),
        seed: Math.floor(random() * 4_294_967_296)
      }
    )
    tryNext(instance, tick, ordered)
    yield* TestClock.adjust(tickMillis)
  }
  return calls
})

describe("an endpoint that fails", () => {
  for (const failure of ["500", "hang"] as const) {
    it.effect(
      `by ${failure} gets at most half as many calls again from four processes as from one`,
      () =>
        Effect.gen(function* () {
          const counts = [0, 0]
          for (const seed of [1, 2, 3]) {
            counts[0]! += yield* Effect.scoped(countCalls(1, failure, seed))
            counts[1]! += yield* Effect.scoped(countCalls(4, failure, seed))
          }
          assert.isAtMost(counts[1]!, 1.5 * counts[0]!)
        })
    )
  }
})
