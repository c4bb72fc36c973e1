/** Records that wait for a batch are visible to the process that made them. */
import { AccountId, defaultWorkspaceId, GenerationId, NanoUsd } from "@signalbox/core"
import type { LimitExceeded } from "@signalbox/core/stores"
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
  getCalendar,
  Settings,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { emptyStores } from "../databases.ts"
import { apiKey, budget } from "../fixtures.ts"

/** Batches wait so long that only a flush or a close writes. */
const databases = emptyStores({ batchIntervalMillis: 3_600_000 })

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

  it("finds a generation of an account before it is written, and writes it on close", async () => {
    const made = generation()
    const stores = database()
    const find = (account: AccountId) =>
      GenerationStore.use((store) => store.find(account, made.id))
    await run(
      Effect.gen(function* () {
        yield* GenerationStore.use((store) => store.record([made]))
        assert.strictEqual(yield* countWritten, 0)
        assert.deepStrictEqual(yield* find(made.account), made)
        assert.isUndefined(yield* find(AccountId.make("another")))
      }),
      stores
    )
    assert.deepStrictEqual(await run(find(made.account), stores), made)
  })

  it("keeps the spending of others exact when an upstream reports absurd costs", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const absurd = { account: AccountId.make("absurd"), workspace: defaultWorkspaceId }
        const now = Date.now()
        for (const cost of [2n ** 63n, 2n ** 70n]) {
          yield* counters.record(spender, NanoUsd.make(320_000_000n), false, now)
          yield* counters.record(absurd, NanoUsd.make(cost), false, now)
          yield* counters.flush()
        }
        const subjects = [spender, absurd].map(Subject.fromWorkspace)
        const spends = yield* counters.findSpend(subjects, now)
        assert.deepStrictEqual(
          subjects.map((subject) => spends.get(subject)?.usage),
          [NanoUsd.make(640_000_000n), NanoUsd.maxAmount]
        )
      })
    ))

  it("discards a record when its transaction rolls back", () =>
    run(
      Effect.gen(function* () {
        const made = generation()
        const { withTransaction } = yield* Transaction
        const store = yield* GenerationStore
        yield* Effect.flip(
          withTransaction(Effect.andThen(store.record([made]), Effect.fail("rollback")))
        )
        assert.isUndefined(yield* store.find(made.account, made.id))
      })
    ))

  it("keeps waiting spending when a transaction that reads other spending rolls back", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const subject = Subject.fromWorkspace(spender)
        const other = { account: AccountId.make("another"), workspace: defaultWorkspaceId }
        const reads: ReadonlyArray<Effect.Effect<unknown, LimitExceeded>> = [
          counters.findSpend([Subject.fromWorkspace(other)], Date.now()),
          ledger.getUsage(makeLimit(other)),
          ledger.reserve(makeRequest(other))
        ]
        for (const read of reads) {
          yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
          yield* Effect.flip(withTransaction(Effect.andThen(read, Effect.fail("rollback"))))
        }
        const spent = yield* counters.findSpend([subject], Date.now())
        assert.strictEqual(spent.get(subject)?.usage, 21n)
      })
    ))

  it("does not deadlock a transaction that reads spending with a concurrent flush", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const subject = Subject.fromWorkspace(spender)
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        const limit = makeLimit(spender)
        const begun = yield* Deferred.make<void>()
        const concurrent = yield* Effect.forkChild(
          Effect.andThen(Deferred.await(begun), counters.findSpend([subject], Date.now()))
        )
        const transaction = Effect.gen(function* () {
          // The concurrent read flushes, which on SQLite needs the connection of this transaction.
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
        const { reserved } = yield* Effect.timeout(withTransaction(transaction), 60_000)
        assert.strictEqual(reserved, 3n)
        assert.strictEqual((yield* Fiber.join(concurrent)).get(subject)?.usage, 7n)
      })
    ))

  it("counts earlier spending under a new limit", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        const rejection = yield* Effect.flip(ledger.reserve(makeRequest(spender)))
        assert.strictEqual(rejection.available, 3n)
      })
    ))

  it("counts spending from the time a limit was lifted once it is set again", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        const workspaces = yield* WorkspaceStore
        const owner = { ...spender, account: AccountId.make(crypto.randomUUID()) }
        const request = makeRequest(owner)
        yield* ledger.release(yield* ledger.reserve(request))
        yield* workspaces.removeBudget(owner.account, owner.workspace, "lifetime")
        yield* counters.record(owner, NanoUsd.make(7n), false, Date.now())
        yield* workspaces.putBudget(owner.account, budget(1))
        const { available } = yield* Effect.flip(ledger.reserve(request))
        assert.strictEqual(available, 3n)
      })
    ))

  it("counts spending from the time a key had another interval once that is changed back", () =>
    run(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const keys = yield* ApiKeyStore
        const ledger = yield* LedgerStore
        const key = apiKey()
        const { account, hash: keyHash, workspace } = key
        yield* keys.put(key)
        const reserveUnder = Effect.fnUntraced(function* (interval: "daily" | "weekly") {
          yield* keys.update(account, keyHash, (before) => ({ ...before, limit_reset: interval }))
          const now = Date.now()
          const { endsAt, name: window } = getCalendar(yield* Settings).toWindow(interval, now)
          const subject = Subject.fromKey(keyHash)
          const limit = { ...makeLimit(spender), interval, window, endsAt, subject, id: keyHash }
          return yield* ledger.reserve({ ...makeRequest(spender), account, limits: [limit] })
        })
        yield* ledger.release(yield* reserveUnder("daily"))
        const seven = NanoUsd.make(7n)
        yield* ledger.settle(yield* reserveUnder("weekly"), seven)
        yield* counters.record({ account, workspace, keyHash }, seven, false, Date.now())
        const { available } = yield* Effect.flip(reserveUnder("daily"))
        assert.strictEqual(available, 3n)
      })
    ))

  it("counts flushed spending under a limit that is new in a transaction", () =>
    run(
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        const counters = yield* SpendCounters
        const ledger = yield* LedgerStore
        yield* counters.record(spender, NanoUsd.make(7n), false, Date.now())
        yield* counters.flush()
        const rejection = yield* Effect.flip(withTransaction(ledger.reserve(makeRequest(spender))))
        assert.strictEqual(rejection.available, NanoUsd.make(3n))
      })
    ))
})

describe("a new limit on Postgres", () => {
  it("makes concurrent reservations wait for the flush of earlier spending", () =>
    Effect.gen(function* () {
      const counters = yield* SpendCounters
      const ledger = yield* LedgerStore
      const sql = yield* SqlClient
      const [locked, unlock] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Blocks writes of spending, not reads.
      yield* sql`LOCK TABLE spend IN SHARE MODE`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(unlock)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(locked)
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
      yield* Deferred.succeed(unlock, undefined)
      for (const { available } of [yield* Fiber.join(first), yield* Fiber.join(second)]) {
        assert.strictEqual(available, 3n)
      }
    }).pipe(Effect.provide(databases.Postgres()), Effect.runPromise))
})
