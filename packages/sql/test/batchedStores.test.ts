/** What waits to be written is there for whoever asks, as far as the process goes. */
import { AccountId, defaultWorkspaceId, GenerationId, NanoUsd } from "@signalbox/core"
import { type LimitExceeded } from "@signalbox/core/stores"
import {
  ApiKeyStore,
  Transaction,
  type Generation,
  GenerationStore,
  LedgerStore,
  type Limit,
  type ReservationRequest,
  SpendCounters,
  type Stores,
  Subject,
  toWindow,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { postgres } from "../src/postgres.ts"
import { sqlite } from "../src/sqlite.ts"
import { newFile, newSchema } from "./databases.ts"
import { apiKey, budget } from "./fixtures.ts"

/** Nothing is written before it is asked for, or the box closes. */
const recordsWaitMillis = 3_600_000

const databases = {
  Postgres: () => postgres({ ...newSchema(), batchIntervalMillis: recordsWaitMillis }),
  SQLite: () => sqlite({ path: newFile(), batchIntervalMillis: recordsWaitMillis })
}

const generation = (): Generation => ({
  id: GenerationId.make(`gen-dec-0-${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`),
  account: AccountId.make(crypto.randomUUID()),
  workspace: defaultWorkspaceId,
  operation: "decisions",
  startedAt: Date.now(),
  latencyMillis: 1,
  configuration: 1,
  requestedModel: "a/b",
  attempts: [],
  rejected: [],
  demoted: []
})

const spender: Subject.Spender = { account: AccountId.make("one"), workspace: defaultWorkspaceId }

const makeLimit = (spender: Subject.Spender): Limit => ({
  kind: "workspace",
  id: crypto.randomUUID(),
  subject: Subject.fromWorkspace(spender),
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  countsByok: false,
  cap: NanoUsd.make(10n)
})

const makeRequest = (spender: Subject.Spender): ReservationRequest => ({
  account: spender.account,
  amount: NanoUsd.make(4n),
  leaseMillis: 1_000,
  limits: [makeLimit(spender)]
})

const countWritten = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql`SELECT id FROM generations`, (rows) => rows.length)
)

describe.each(Object.entries(databases))("on %s", (_, database) => {
  const run = <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient>, on = database()) =>
    Effect.runPromise(Effect.provide(effect, on))

  it("a generation is found before it is written, by its own account alone, and kept when it closes", async () => {
    const made = generation()
    const stores = database()
    const find = (account: AccountId) =>
      GenerationStore.use((store) => store.find(account, made.id))
    await run(
      Effect.gen(function* () {
        yield* GenerationStore.use((store) => store.record(made))
        assert.strictEqual(yield* countWritten, 0)
        assert.deepStrictEqual(yield* find(made.account), made)
        assert.isUndefined(yield* find(AccountId.make("another")))
      }),
      stores
    )
    assert.deepStrictEqual(await run(find(made.account), stores), made)
  })

  it("what a liar is told to have spent loses nothing of what others spent", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const liar = { account: AccountId.make("liar"), workspace: defaultWorkspaceId }
        const now = Date.now()
        for (const cost of [2n ** 63n, 2n ** 70n]) {
          yield* counters.record(spender, NanoUsd.make(320_000_000n), false, now)
          yield* counters.record(liar, NanoUsd.make(cost), false, now)
          yield* counters.flush()
        }
        const subjects = [spender, liar].map(Subject.fromWorkspace)
        const spends = yield* counters.findSpend(subjects, now)
        assert.deepStrictEqual(
          subjects.map((subject) => spends.get(subject)?.usage),
          [NanoUsd.make(640_000_000n), NanoUsd.maxAmount]
        )
      })
    ))

  it("a record of a transaction that is undone is not kept", () =>
    run(
      Effect.gen(function* () {
        const made = generation()
        const { withTransaction } = yield* Transaction
        const store = yield* GenerationStore
        yield* Effect.flip(
          withTransaction(Effect.andThen(store.record(made), Effect.fail("undone")))
        )
        assert.isUndefined(yield* store.find(made.account, made.id))
      })
    ))

  it("what somebody spent is not lost when a transaction that asks for another's spending is undone", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const subject = Subject.fromWorkspace(spender)
        const other = { account: AccountId.make("another"), workspace: defaultWorkspaceId }
        const asked: ReadonlyArray<Effect.Effect<unknown, LimitExceeded>> = [
          counters.findSpend([Subject.fromWorkspace(other)], Date.now()),
          ledger.getUsage(makeLimit(other)),
          ledger.reserve(makeRequest(other))
        ]
        for (const ask of asked) {
          yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
          yield* Effect.flip(withTransaction(Effect.andThen(ask, Effect.fail("undone"))))
        }
        const spent = yield* counters.findSpend([subject], Date.now())
        assert.strictEqual(spent.get(subject)?.usage, 21n)
      })
    ))

  it("a transaction that asks for spending does not wait for what waits for its end", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const subject = Subject.fromWorkspace(spender)
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        const limit = makeLimit(spender)
        const begun = yield* Deferred.make<void>()
        const beside = yield* Effect.forkChild(
          Effect.andThen(Deferred.await(begun), counters.findSpend([subject], Date.now()))
        )
        const asked = Effect.gen(function* () {
          // It writes what waits, which on SQLite takes the connection of this one.
          yield* Deferred.succeed(begun, undefined)
          yield* Effect.sleep(20)
          yield* ledger.reserve({
            ...makeRequest(spender),
            amount: NanoUsd.make(3n),
            limits: [limit]
          })
          yield* counters.findSpend([subject], Date.now())
          return yield* ledger.getUsage(limit)
        })
        const { reserved } = yield* Effect.timeout(withTransaction(asked), 2_000)
        assert.strictEqual(reserved, 3n)
        assert.strictEqual((yield* Fiber.join(beside)).get(subject)?.usage, 7n)
      })
    ))

  it("a limit that is set right after something was spent counts it", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        const refused = yield* Effect.flip(ledger.reserve(makeRequest(spender)))
        assert.strictEqual(refused.available, 3n)
      })
    ))

  it("a limit that was lifted and set again as it was counts what was spent without it", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const workspaces = yield* WorkspaceStore
        const of = { ...spender, account: AccountId.make(crypto.randomUUID()) }
        const request = makeRequest(of)
        yield* ledger.release(yield* ledger.reserve(request))
        yield* workspaces.removeBudget(of.account, of.workspace, "lifetime")
        yield* counters.record(of, NanoUsd.make(7n), false, Date.now())
        yield* workspaces.putBudget(of.account, budget(1))
        const { available } = yield* Effect.flip(ledger.reserve(request))
        assert.strictEqual(available, 3n)
      })
    ))

  it("a key whose interval was changed there and back counts what was spent in between", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const keys = yield* ApiKeyStore
        const ledger = yield* LedgerStore
        const key = apiKey()
        const { account, hash: keyHash, workspace } = key
        yield* keys.put(key)
        const underThe = Effect.fnUntraced(function* (interval: "daily" | "weekly") {
          yield* keys.update(account, keyHash, (before) => ({ ...before, limit_reset: interval }))
          const now = Date.now()
          const { endsAt, name: window } = toWindow(interval, now)
          const subject = Subject.fromKey(keyHash)
          const limit = { ...makeLimit(spender), interval, window, endsAt, subject, id: keyHash }
          return yield* ledger.reserve({ ...makeRequest(spender), account, limits: [limit] })
        })
        yield* ledger.release(yield* underThe("daily"))
        const seven = NanoUsd.make(7n)
        yield* ledger.settle(yield* underThe("weekly"), seven)
        yield* counters.record({ account, workspace, keyHash }, seven, false, Date.now())
        const { available } = yield* Effect.flip(underThe("daily"))
        assert.strictEqual(available, 3n)
      })
    ))

  it("a limit that a transaction meets first counts what was spent before, once that is written", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        yield* counters.flush()
        const refused = yield* Effect.flip(withTransaction(ledger.reserve(makeRequest(spender))))
        assert.strictEqual(refused.available, NanoUsd.make(3n))
      })
    ))
})

describe("a limit on Postgres that nobody has met", () => {
  it("was met without what was spent by whoever came while that was being written", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      const ledger = yield* LedgerStore
      const sql = yield* SqlClient
      const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Nobody writes what is spent, and everybody reads it.
      yield* sql`LOCK TABLE spend IN SHARE MODE`.pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(end)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(begun)
      yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
      const request = makeRequest(spender)
      const reserving = Effect.forkChild(Effect.flip(ledger.reserve(request)), {
        startImmediately: true
      })
      const first = yield* reserving
      yield* Effect.repeat(
        sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'spend'::regclass`,
        { until: (rows) => rows.length > 0 }
      )
      const second = yield* reserving
      yield* sql`SELECT pg_sleep(0.1)`
      yield* Deferred.succeed(end, undefined)
      for (const { available } of [yield* Fiber.join(first), yield* Fiber.join(second)]) {
        assert.strictEqual(available, 3n)
      }
    }).pipe(Effect.provide(databases.Postgres()), Effect.runPromise))
})
