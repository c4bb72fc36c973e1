import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { sweep, type Sweep } from "../../../src/engine/jobs/sweep.ts"

const run = (test: Effect.Effect<void, unknown, Scope.Scope>): Promise<void> =>
  Effect.runPromise(test.pipe(Effect.scoped, Effect.provide([TestClock.layer(), Logger.layer([])])))

/** Runs the event loop for work that needs no time, for as many turns as it takes. */
const settle = Effect.repeat(TestClock.adjust(0), { times: 500 })

/** Rows that are due every ten seconds, like the rows of a domain's store. */
const domain = (rows: number) => {
  const dueAt = new Map(Array.from({ length: rows }, (_, n) => [n, 0]))
  const claims: Array<number> = []
  const claim = (limit: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const due = Array.from(dueAt)
        .filter(([, at]) => at <= now)
        .slice(0, limit)
        .map(([n]) => n)
      for (const n of due) dueAt.set(n, now + 10_000)
      claims.push(due.length)
      return due
    })
  return { claim, claims }
}

const sweeping = (
  changes: Pick<Sweep<number, unknown, never>, "claim" | "run"> &
    Partial<Sweep<number, unknown, never>>
) =>
  sweep({ name: "polls", concurrency: 4, intervalMillis: 1_000, timeoutMillis: 4_000, ...changes })

describe("sweep", () => {
  it("runs every row each time it is due, up to the configured concurrency", () =>
    run(
      Effect.gen(function* () {
        const { claim, claims } = domain(102)
        const ran: Array<number> = []
        let running = 0
        let most = 0
        yield* sweeping({
          claim,
          run: (n) =>
            Effect.gen(function* () {
              ran.push(n)
              most = Math.max(most, ++running)
              yield* Effect.yieldNow
              running--
            })
        })
        yield* settle
        assert.lengthOf(new Set(ran), 102)
        assert.lengthOf(ran, 102)
        assert.strictEqual(most, 4)
        yield* TestClock.adjust("11 seconds")
        yield* settle
        assert.lengthOf(ran, 204)
        // Full claims follow each other at once; a partial one is followed by a wait.
        assert.deepStrictEqual(claims.slice(0, 27), [...Array.from({ length: 25 }, () => 4), 2, 0])
        assert.isAtMost(claims.length, 65)
      })
    ))

  it.each([
    ["fails", Effect.fail("why")],
    ["dies", Effect.die("why")],
    ["interrupts itself", Effect.interrupt],
    ["takes too long", Effect.never]
  ])("continues when a row %s, and runs it again when it is due again", (_, ending) =>
    run(
      Effect.gen(function* () {
        const ran: Array<number> = []
        yield* sweeping({
          claim: domain(8).claim,
          run: (n) =>
            Effect.suspend(() => {
              ran.push(n)
              return n === 3 ? ending : Effect.void
            })
        })
        yield* TestClock.adjust("5 seconds")
        assert.sameMembers(ran, [0, 1, 2, 3, 4, 5, 6, 7])
        yield* TestClock.adjust("10 seconds")
        assert.lengthOf(
          ran.filter((n) => n === 3),
          2
        )
      })
    )
  )

  it("is not delayed by a slow row", () =>
    run(
      Effect.gen(function* () {
        const ran: Array<number> = []
        yield* sweeping({
          claim: domain(40).claim,
          run: (n) =>
            Effect.suspend(() => {
              ran.push(n)
              return n === 0 ? Effect.never : Effect.void
            })
        })
        yield* settle
        assert.lengthOf(ran, 40)
      })
    ))

  it("looks again after a failed claim", () =>
    run(
      Effect.gen(function* () {
        const { claim } = domain(1)
        const ran: Array<number> = []
        let looks = 0
        yield* sweeping({
          claim: (limit) => Effect.suspend(() => (++looks < 3 ? Effect.fail("no") : claim(limit))),
          run: (n) => Effect.sync(() => void ran.push(n))
        })
        yield* settle
        assert.deepStrictEqual(ran, [])
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(ran, [0])
      })
    ))

  it("ends with its scope, and interrupts running rows", () =>
    run(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const begun = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        const { claim, claims } = domain(1)
        yield* Scope.provide(
          sweeping({
            claim,
            run: () =>
              Effect.onInterrupt(
                Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
                () => Deferred.succeed(interrupted, undefined)
              )
          }),
          scope
        )
        yield* Deferred.await(begun)
        yield* Scope.close(scope, Exit.void)
        yield* Deferred.await(interrupted)
        const looks = claims.length
        yield* TestClock.adjust("1 minute")
        assert.lengthOf(claims, looks)
      })
    ))

  it("renews its claims while they run or wait, and releases unfinished ones at its end", () =>
    run(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const renewed: Array<number> = []
        const handedBack: Array<number> = []
        yield* Scope.provide(
          sweeping({
            claim: domain(6).claim,
            timeoutMillis: 60_000,
            // Four run at a time; the waiting ones are renewed too.
            run: (n) => (n < 3 ? Effect.sleep("3 seconds") : Effect.never),
            lease: {
              renewIntervalMillis: 2_000,
              renew: (n) => Effect.sync(() => void renewed.push(n)),
              release: (n) => Effect.sync(() => void handedBack.push(n))
            }
          }),
          scope
        )
        yield* TestClock.adjust("2 seconds")
        assert.sameMembers(renewed.splice(0), [0, 1, 2, 3])
        yield* TestClock.adjust("2 seconds")
        assert.sameMembers(renewed.splice(0), [3, 4, 5])
        assert.deepStrictEqual(handedBack, [])
        yield* Scope.close(scope, Exit.void)
        assert.sameMembers(handedBack, [3, 4, 5])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(renewed, [])
      })
    ))

  it("continues when it cannot renew, and closes when it cannot release", () =>
    run(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const tries: Array<string> = []
        const broken = (what: string) => () =>
          Effect.andThen(
            Effect.sync(() => void tries.push(what)),
            Effect.die("the store is away")
          )
        yield* Scope.provide(
          sweeping({
            claim: domain(1).claim,
            timeoutMillis: 60_000,
            run: () => Effect.never,
            lease: {
              renewIntervalMillis: 2_000,
              renew: broken("renew"),
              release: broken("hand back")
            }
          }),
          scope
        )
        yield* TestClock.adjust("5 seconds")
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(tries, ["renew", "renew", "hand back"])
      })
    ))

  it("releases rows whose claim was in flight at its end", () =>
    run(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const asked = yield* Deferred.make<void>()
        const answer = yield* Deferred.make<ReadonlyArray<number>>()
        const handedBack: Array<number> = []
        yield* Scope.provide(
          sweeping({
            claim: () => Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer)),
            run: () => Effect.never,
            lease: {
              renewIntervalMillis: 2_000,
              renew: () => Effect.void,
              release: (n) => Effect.sync(() => void handedBack.push(n))
            }
          }),
          scope
        )
        yield* Deferred.await(asked)
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* settle
        assert.deepStrictEqual(handedBack, [])
        yield* Deferred.succeed(answer, [7])
        yield* Fiber.join(closing)
        assert.deepStrictEqual(handedBack, [7])
      })
    ))
})
