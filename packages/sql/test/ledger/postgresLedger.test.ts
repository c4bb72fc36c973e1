/** Requests that share a limit, in one process and in several, on Postgres. */
import { AccountId, NanoUsd } from "@signalbox/core"
import { LedgerStore, type Limit, type Stores } from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { newSchema } from "../databases.ts"

const makeLimit = (cap: bigint, id: string = crypto.randomUUID()): Limit => ({
  kind: "key",
  id,
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  cap: NanoUsd.make(cap),
  countsByok: false
})

const reserve = (
  ledger: LedgerStore["Service"],
  amount: bigint,
  limits: Limit | ReadonlyArray<Limit>,
  leaseMillis = 600_000
) =>
  ledger.reserve({
    account: AccountId.make("default"),
    limits: Arr.ensure(limits),
    amount: NanoUsd.make(amount),
    leaseMillis
  })

const schema = newSchema()

/** A process with few connections and a test clock, beside another one. `statements` has those of its ledger. */
const withProcess = (
  act: (
    ledger: LedgerStore["Service"],
    process: {
      readonly statements: Array<string>
      readonly other: LedgerStore["Service"]
      /** Holds the row of a limit until the gate opens. */
      readonly lock: (limit: Limit) => Effect.Effect<Deferred.Deferred<void>, unknown>
    }
  ) => Effect.Effect<void, unknown>
) => {
  const statements: Array<string> = []
  const capture = Layer.succeed(CurrentTransformer, (statement) => {
    const [text] = statement.compile()
    if (text.includes("ledger_apply")) statements.push(text)
    return Effect.succeed(statement)
  })
  return Effect.gen(function* () {
    const scope = yield* Effect.scope
    const open = (layer: Layer.Layer<Stores | SqlClient, unknown>) =>
      Layer.buildWithScope(Layer.fresh(layer), scope)
    const here = yield* open(
      postgres({ ...schema, maxConnections: 2 }).pipe(Layer.provide(capture))
    )
    const other = yield* open(postgres(schema))
    const ledger = Context.get(here, LedgerStore)
    const lock = Effect.fnUntraced(function* ({ id }: Limit) {
      const [locked, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const sql = Context.get(other, SqlClient)
      yield* sql`SELECT 1 FROM limit_counters WHERE counter_key LIKE ${`% ${id}`} FOR UPDATE`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(gate)),
        sql.withTransaction,
        Effect.forkIn(scope)
      )
      yield* Deferred.await(locked)
      return gate
    })
    yield* act(ledger, {
      statements,
      other: Context.get(other, LedgerStore),
      lock
      // The stores keep the real clock.
    }).pipe(Effect.provide(Layer.merge(TestClock.layer(), capture)))
  }).pipe(Effect.scoped, Effect.runPromise)
}

const countSuccesses = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>): number =>
  exits.filter(Exit.isSuccess).length

it("requests that wait for the row of one key leave the connections to other keys", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { lock, statements }) {
      const [hammered, other] = [makeLimit(20n), makeLimit(10n)]
      yield* ledger.release(yield* reserve(ledger, 1n, hammered))
      const gate = yield* lock(hammered)
      statements.length = 0
      const waiting = yield* Effect.forkChild(
        Effect.all(Arr.replicate(Effect.exit(reserve(ledger, 1n, hammered)), 100), {
          concurrency: "unbounded"
        }),
        { startImmediately: true }
      )
      // With two connections, these would wait for ever behind two of the hundred.
      for (let n = 0; n < 3; n++) {
        const id = yield* reserve(ledger, 5n, other)
        yield* ledger.settle(id, NanoUsd.make(2n))
      }
      assert.isUndefined(waiting.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(countSuccesses(yield* Fiber.join(waiting)), 20)
      assert.deepStrictEqual(yield* ledger.getUsage(hammered), { settled: 0n, reserved: 20n })
      assert.deepStrictEqual(yield* ledger.getUsage(other), { settled: 6n, reserved: 0n })
      // One for the first of the hundred and one for the others, beside the six of the other key.
      assert.lengthOf(statements, 8)
    })
  ))

it("an exhausted key costs no statement for each request, and one in 250 ms", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { statements }) {
      const limit = makeLimit(3n)
      const refuse = Effect.flip(reserve(ledger, 5n, limit))
      const { available, held } = yield* refuse
      assert.deepStrictEqual([available, held], [3n, undefined])
      statements.length = 0
      for (let n = 0; n < 50; n++) {
        const again = yield* Effect.flip(reserve(ledger, 5n + BigInt(n), limit))
        assert.strictEqual(again.available, 3n)
      }
      assert.lengthOf(statements, 0)
      yield* TestClock.adjust(250)
      yield* refuse
      assert.lengthOf(statements, 1)
    })
  ))

it("a smaller request is served while larger ones are refused, and a raised limit applies at once", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger) {
      const limit = makeLimit(10n)
      const running = yield* reserve(ledger, 6n, limit)
      const refuse = (amount: bigint) => Effect.flip(reserve(ledger, amount, limit))
      yield* refuse(5n)
      yield* refuse(7n)
      yield* reserve(ledger, 3n, limit)
      assert.strictEqual((yield* refuse(2n)).available, 1n)
      // What ends here makes room here at once.
      yield* ledger.settle(running, NanoUsd.make(4n))
      yield* ledger.release(yield* reserve(ledger, 3n, limit))
      yield* refuse(5n)
      yield* reserve(ledger, 5n, { ...limit, cap: NanoUsd.make(12n) })
    })
  ))

it("room that another process makes is seen after 250 ms, and a limit that had none is named first", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { other }) {
      const [wide, narrow] = [makeLimit(10n), makeLimit(5n)]
      const theirs = yield* reserve(other, 5n, narrow)
      assert.strictEqual((yield* Effect.flip(reserve(ledger, 1n, [wide, narrow]))).limit, narrow)
      assert.strictEqual((yield* Effect.flip(reserve(ledger, 11n, [wide, narrow]))).limit, wide)
      yield* other.release(theirs)
      yield* TestClock.adjust(250)
      yield* reserve(ledger, 1n, [wide, narrow])
    })
  ))

it("two processes whose clocks are ten minutes apart charge a running request what it cost", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { other }) {
      const limit = makeLimit(10n)
      const leaseMillis = 300_000
      const running = yield* reserve(ledger, 6n, limit, leaseMillis)
      yield* TestClock.adjust("10 minutes")
      yield* other.release(yield* reserve(other, 1n, limit, leaseMillis))
      assert.deepStrictEqual(yield* other.getUsage(limit), { settled: 0n, reserved: 6n })
      assert.isTrue(yield* other.renew(running, leaseMillis))
      yield* TestClock.setTime((yield* Clock.currentTimeMillis) - 1_200_000)
      assert.deepStrictEqual(yield* ledger.settle(running, NanoUsd.make(2n)), {
        charged: NanoUsd.make(2n),
        overrun: NanoUsd.zero
      })
      assert.deepStrictEqual(yield* other.getUsage(limit), { settled: 2n, reserved: 0n })
    })
  ))

it("a request that the database rejects fails alone", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { lock }) {
      const limit = makeLimit(100n)
      yield* ledger.release(yield* reserve(ledger, 1n, limit))
      const gate = yield* lock(limit)
      const leases = [60_000, 60_000, Number.MAX_VALUE, 60_000]
      const waiting = yield* Effect.forkChild(
        Effect.forEach(leases, (lease) => Effect.exit(reserve(ledger, 7n, limit, lease)), {
          concurrency: "unbounded"
        }),
        { startImmediately: true }
      )
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual((yield* Fiber.join(waiting)).map(Exit.isSuccess), [
        true,
        true,
        false,
        true
      ])
      assert.deepStrictEqual(yield* ledger.getUsage(limit), { settled: 0n, reserved: 21n })
    })
  ))

it("many that end at once are charged exactly, with overruns as far as there is room", () =>
  withProcess(
    Effect.fnUntraced(function* (ledger, { lock }) {
      const [limit, budget] = [makeLimit(100n), makeLimit(70n)]
      const ids = yield* Effect.forEach(Arr.range(1, 10), () =>
        reserve(ledger, 5n, [limit, budget])
      )
      const gate = yield* lock(budget)
      const owed = [5n, 1n, 0n, 9n, 5n, 5n, 5n, 5n, 30n, 5n]
      const waiting = yield* Effect.forkChild(
        Effect.forEach(
          [...ids.entries(), [3, ids[3] ?? ""] as const],
          ([at, id]) => ledger.settle(id, NanoUsd.make(owed[at] ?? 0n)),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      yield* Deferred.succeed(gate, undefined)
      const settled = yield* Fiber.join(waiting)
      const charged = settled.map((each) => each.charged)
      assert.deepStrictEqual(charged.slice(0, 8), [5n, 1n, 0n, 9n, 5n, 5n, 5n, 5n])
      assert.deepStrictEqual(charged.slice(8), [30n, 5n, 0n])
      const total = charged.reduce((sum, each) => sum + each, 0n)
      for (const each of [limit, budget]) {
        assert.deepStrictEqual(yield* ledger.getUsage(each), { settled: total, reserved: 0n })
      }
      const last = yield* reserve(ledger, 0n, [limit, budget])
      assert.strictEqual((yield* ledger.settle(last, NanoUsd.make(50n))).charged, 0n)
    })
  ))
