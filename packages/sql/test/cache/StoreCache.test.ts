/** Cached reads stay valid until this process or another changes what they read. */
import { AccountId, defaultWorkspaceId, NanoUsd } from "@signalbox/core"
import {
  AccountStore,
  Transaction,
  CredentialStore,
  GuardrailStore,
  LedgerStore,
  type Stores,
  WorkspaceStore
} from "@signalbox/core/stores"
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { assert, describe, it } from "vitest"
import { layerSqliteChangeFeed } from "../../src/changeFeed/sqliteChangeFeed.ts"
import { postgres } from "../../src/postgres.ts"
import * as SqliteClient from "../../src/connection/SqliteClient.ts"
import { layerStorage } from "../../src/storage.ts"
import { startListenProxy, type ListenProxy } from "../ListenProxy.ts"
import { newFile, newSchema } from "../databases.ts"
import { budget, credential, guardrail } from "../fixtures.ts"

interface CachedRead {
  /** A read that every request makes. */
  readonly read: (account: AccountId) => Effect.Effect<unknown, unknown, Stores>
  readonly change: (account: AccountId) => Effect.Effect<unknown, unknown, Stores>
}

const defaultGuardrail = guardrail()

const budgetRead: CachedRead = {
  read: (account) => WorkspaceStore.use((store) => store.budgets(account, defaultWorkspaceId)),
  change: (account) => WorkspaceStore.use((store) => store.putBudget(account, budget(1)))
}

const cachedReads: Readonly<Record<string, CachedRead>> = {
  "an account": {
    read: (account) => AccountStore.use((store) => store.get(account)),
    change: (account) =>
      AccountStore.use((store) => store.update(account, (before) => ({ ...before, zdr: true })))
  },
  "granted credits": {
    read: (account) => LedgerStore.use((store) => store.findGrantedCredits(account)),
    change: (account) => LedgerStore.use((store) => store.grant(account, NanoUsd.make(1n)))
  },
  "a guardrail": {
    read: (account) =>
      GuardrailStore.use((store) =>
        store.listEffective(account, { defaultGuardrail: defaultGuardrail.id })
      ),
    change: (account) => GuardrailStore.use((store) => store.insert(account, defaultGuardrail))
  },
  "a credential": {
    read: (account) => CredentialStore.use((store) => store.listEnabled(account)),
    change: (account) => CredentialStore.use((store) => store.insert(account, credential()))
  },
  "a budget": budgetRead
}

/** Every build of a layer connects like a process of its own. */
const processes: Readonly<Record<string, () => Layer.Layer<Stores | SqlClient, unknown>>> = {
  Postgres: () => postgres(newSchema()),
  SQLite: () =>
    Layer.provideMerge(
      layerStorage({}, { layerChangeFeed: layerSqliteChangeFeed, sessions: 0 }),
      SqliteClient.layer({ path: newFile() })
    )
}

const makeAccount = (): AccountId => AccountId.make(`account \\ ${crypto.randomUUID()}`)

/** Counts the statements that an effect runs. */
const countStatements = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let statements = 0
  yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
    statements++
    return Effect.succeed(statement)
  })
  return statements
})

/** Reads until the cache answers. The database echoes changes of this process, which invalidates the cache again. */
const untilCached = <E, R>(read: Effect.Effect<unknown, E, R>) =>
  Effect.repeat(countStatements(read), {
    until: (statements) => statements === 0,
    times: 1_000
  }).pipe(Effect.map((statements) => assert.strictEqual(statements, 0)))

/** Reads until the result differs from `before`. */
const untilChanged = (read: Effect.Effect<unknown, unknown>, before: unknown) =>
  Effect.repeat(Effect.delay(read, 5), { until: (current) => !isDeepStrictEqual(current, before) })

describe.each(Object.entries(processes))("on %s", (_, process) => {
  const withOneProcess = <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, process()))

  const withTwoProcesses = (
    act: (
      here: Context.Context<Stores | SqlClient>,
      remote: Context.Context<Stores | SqlClient>
    ) => Effect.Effect<void, unknown>
  ) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const connect = Layer.build(Layer.fresh(process()))
          yield* act(yield* connect, yield* connect)
        })
      )
    )

  it("returns the same object for a credential until a credential of its account changes", () =>
    withOneProcess(
      Effect.gen(function* () {
        const account = makeAccount()
        const { listEnabled, insert } = yield* CredentialStore
        yield* insert(account, credential())
        const read = Effect.map(listEnabled(account), ([row]) => row)
        // The database echoes the insert, which invalidates the cache again.
        const [row, again] = yield* Effect.repeat(Effect.all([read, read]), {
          until: ([first, second]) => first === second,
          times: 1_000
        })
        assert.isDefined(row)
        assert.strictEqual(again, row)
        yield* insert(account, credential())
        assert.notStrictEqual((yield* listEnabled(account))[0], row)
      })
    ))

  describe.each(Object.entries(cachedReads))("%s", (_, { change, read }) => {
    it("is read once, and again after a change by this process", () =>
      withOneProcess(
        Effect.gen(function* () {
          const account = makeAccount()
          yield* untilCached(read(account))
          const before = yield* read(account)
          yield* change(account)
          assert.notDeepEqual(yield* read(account), before)
          yield* untilCached(read(account))
        })
      ))

    it("is read from the database in a transaction, which others do not see until it commits", () =>
      withOneProcess(
        Effect.gen(function* () {
          const account = makeAccount()
          const before = yield* read(account)
          const { withTransaction } = yield* Transaction
          const failed = withTransaction(
            Effect.gen(function* () {
              yield* change(account)
              assert.notDeepEqual(yield* read(account), before)
              return yield* Effect.fail("rollback")
            })
          )
          yield* Effect.flip(failed)
          assert.deepStrictEqual(yield* read(account), before)
          yield* withTransaction(change(account))
          assert.notDeepEqual(yield* read(account), before)
        })
      ))

    it("is read again after a change by another process", () =>
      withTwoProcesses(
        Effect.fnUntraced(function* (here, remote) {
          const account = makeAccount()
          const readHere = Effect.provideContext(read(account), here)
          // Until the feed listens, it invalidates everything all the time.
          yield* Effect.sleep(300)
          const before = yield* readHere
          yield* Effect.provideContext(change(account), remote)
          assert.notDeepEqual(yield* untilChanged(readHere, before), before)
        })
      ))
  })
})

/** An empty database behind a proxy that can cut off listening connections. */
const makeProxiedDatabase = Effect.gen(function* () {
  const { url, ...schema } = newSchema()
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => startListenProxy(url)),
    ({ close }) => Effect.sync(close)
  )
  const connect = (at: string, stalenessMillis: number) =>
    Layer.build(Layer.fresh(postgres({ url: at, ...schema, stalenessMillis })))
  const listening = Effect.map(Effect.sync(proxy.countListening), (count) => count > 0)
  return {
    url,
    proxy,
    connect,
    untilListening: Effect.repeat(Effect.delay(listening, 50), { until: Boolean }).pipe(
      Effect.andThen(Effect.sleep(200))
    )
  }
})

/** Waits until a change by another process is visible here. `disturb` runs before the change. */
const awaitRemoteChange = (stalenessMillis: number, disturb: (proxy: ListenProxy) => void) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { connect, untilListening, url, proxy } = yield* makeProxiedDatabase
        const here = yield* connect(proxy.url, stalenessMillis)
        const remote = yield* connect(url, stalenessMillis)
        const account = makeAccount()
        const { change, read } = budgetRead
        const readHere = Effect.provideContext(read(account), here)
        const before = yield* readHere
        yield* untilListening
        disturb(proxy)
        yield* Effect.provideContext(change(account), remote)
        assert.notDeepEqual(yield* untilChanged(readHere, before), before)
        return "changed"
      })
    )
  )

/** Far longer than a test may take, so that only a notification can make a change visible. */
const hourMillis = 3_600_000

describe("change notifications on Postgres", () => {
  it("make a change visible at once", async () => {
    assert.strictEqual(await awaitRemoteChange(hourMillis, () => {}), "changed")
  })

  it("are not needed for a change after the connection was cut", async () => {
    assert.strictEqual(await awaitRemoteChange(1_000, ({ cut }) => cut()), "changed")
  })

  it("are not needed for a change after the connection died silently", async () => {
    assert.strictEqual(await awaitRemoteChange(1_000, ({ silence }) => silence()), "changed")
  })

  it("do not block closing after the connection died silently", async () => {
    const closed = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { connect, untilListening, proxy } = yield* makeProxiedDatabase
          const scope = yield* Scope.make()
          yield* Scope.provide(connect(proxy.url, hourMillis), scope)
          yield* untilListening
          proxy.silence()
          return yield* Effect.exit(Scope.close(scope, Exit.void))
        })
      )
    )
    assert.isTrue(Exit.isSuccess(closed))
  })

  it("make a missed change visible after the connection is restored", async () => {
    assert.strictEqual(await awaitRemoteChange(hourMillis, ({ cut }) => cut()), "changed")
  })
})
