/** What requests read is remembered, and not for longer than it holds, whoever changes it. */
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
import { layerSqliteChangeFeed } from "../src/changeFeed/sqliteChangeFeed.ts"
import { postgres } from "../src/postgres.ts"
import * as SqliteClient from "../src/connection/SqliteClient.ts"
import { layerStorage } from "../src/storage.ts"
import { startListenProxy, type ListenProxy } from "./ListenProxy.ts"
import { newFile, newSchema } from "./databases.ts"
import { budget, credential, guardrail } from "./fixtures.ts"

interface Kind {
  /** Asked by every request. */
  readonly read: (account: AccountId) => Effect.Effect<unknown, unknown, Stores>
  readonly change: (account: AccountId) => Effect.Effect<unknown, unknown, Stores>
}

const byDefault = guardrail()

const budgetKind: Kind = {
  read: (account) => WorkspaceStore.use((store) => store.budgets(account, defaultWorkspaceId)),
  change: (account) => WorkspaceStore.use((store) => store.putBudget(account, budget(1)))
}

const kinds: Readonly<Record<string, Kind>> = {
  "an account": {
    read: (account) => AccountStore.use((store) => store.get(account)),
    change: (account) =>
      AccountStore.use((store) => store.update(account, (before) => ({ ...before, zdr: true })))
  },
  "what was granted": {
    read: (account) => LedgerStore.use((store) => store.findGrantedCredits(account)),
    change: (account) => LedgerStore.use((store) => store.grant(account, NanoUsd.make(1n)))
  },
  "a guardrail": {
    read: (account) =>
      GuardrailStore.use((store) =>
        store.listEffective(account, { defaultGuardrail: byDefault.id })
      ),
    change: (account) => GuardrailStore.use((store) => store.insert(account, byDefault))
  },
  "a credential": {
    read: (account) => CredentialStore.use((store) => store.listEnabled(account)),
    change: (account) => CredentialStore.use((store) => store.insert(account, credential()))
  },
  "a budget": budgetKind
}

/** Each is a process of its own, as far as the database can tell. */
const processes: Readonly<Record<string, () => Layer.Layer<Stores | SqlClient, unknown>>> = {
  Postgres: () => postgres(newSchema()),
  SQLite: () =>
    Layer.provideMerge(
      layerStorage({}, layerSqliteChangeFeed),
      SqliteClient.layer({ path: newFile() })
    )
}

const makeAccount = (): AccountId => AccountId.make(`account \\ ${crypto.randomUUID()}`)

/** How many statements an effect runs. */
const countStatements = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let statements = 0
  yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
    statements++
    return Effect.succeed(statement)
  })
  return statements
})

/** What was changed here is told of by the database too, a moment later, and then remembered once more. */
const untilCached = <E, R>(read: Effect.Effect<unknown, E, R>) =>
  Effect.repeat(countStatements(read), {
    until: (statements) => statements === 0,
    times: 1_000
  }).pipe(Effect.map((statements) => assert.strictEqual(statements, 0)))

/** What `read` says once it is something else than `before`. */
const untilChanged = (read: Effect.Effect<unknown, unknown>, before: unknown) =>
  Effect.repeat(Effect.delay(read, 5), { until: (now) => !isDeepStrictEqual(now, before) })

describe.each(Object.entries(processes))("on %s", (_, process) => {
  const withOne = <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, process()))

  const withTwo = (
    act: (
      here: Context.Context<Stores | SqlClient>,
      elsewhere: Context.Context<Stores | SqlClient>
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

  it("a credential stays the same row, with which its opened secret is kept, until one of its account is changed", () =>
    withOne(
      Effect.gen(function* () {
        const account = makeAccount()
        const { listEnabled, insert } = yield* CredentialStore
        yield* insert(account, credential())
        const read = Effect.map(listEnabled(account), ([row]) => row)
        // What was changed here is told of by the database too, a moment later.
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

  describe.each(Object.entries(kinds))("%s", (_, { change, read }) => {
    it("is asked for once, and again once it is changed here", () =>
      withOne(
        Effect.gen(function* () {
          const account = makeAccount()
          yield* untilCached(read(account))
          const before = yield* read(account)
          yield* change(account)
          assert.notDeepEqual(yield* read(account), before)
          yield* untilCached(read(account))
        })
      ))

    it("is what a transaction made of it, and no other sees that before", () =>
      withOne(
        Effect.gen(function* () {
          const account = makeAccount()
          const before = yield* read(account)
          const { withTransaction } = yield* Transaction
          const failed = withTransaction(
            Effect.gen(function* () {
              yield* change(account)
              assert.notDeepEqual(yield* read(account), before)
              return yield* Effect.fail("undone")
            })
          )
          yield* Effect.flip(failed)
          assert.deepStrictEqual(yield* read(account), before)
          yield* withTransaction(change(account))
          assert.notDeepEqual(yield* read(account), before)
        })
      ))

    it("is known when it is changed elsewhere", () =>
      withTwo(
        Effect.fnUntraced(function* (here, elsewhere) {
          const account = makeAccount()
          const looking = Effect.provideContext(read(account), here)
          // Until it listens nothing is remembered for long.
          yield* Effect.sleep(300)
          const before = yield* looking
          yield* Effect.provideContext(change(account), elsewhere)
          assert.notDeepEqual(yield* untilChanged(looking, before), before)
        })
      ))
  })
})

/** A database of its own, reached by a way on which those that listen can be cut off. */
const makeWatchedDatabase = Effect.gen(function* () {
  const { url, ...schema } = newSchema()
  const way = yield* Effect.acquireRelease(
    Effect.promise(() => startListenProxy(url)),
    ({ close }) => Effect.sync(close)
  )
  const connect = (at: string, stalenessMillis: number) =>
    Layer.build(Layer.fresh(postgres({ url: at, ...schema, stalenessMillis })))
  const listening = Effect.map(Effect.sync(way.countListening), (many) => many > 0)
  return {
    url,
    way,
    connect,
    untilListening: Effect.repeat(Effect.delay(listening, 50), { until: (isSo) => isSo }).pipe(
      Effect.andThen(Effect.sleep(200))
    )
  }
})

/** The change of a budget by another process, once this one listens and `meanwhile` has happened. */
const measureKnown = (stalenessMillis: number, meanwhile: (way: ListenProxy) => void) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { connect, untilListening, url, way } = yield* makeWatchedDatabase
        const here = yield* connect(way.url, stalenessMillis)
        const elsewhere = yield* connect(url, stalenessMillis)
        const account = makeAccount()
        const { change, read } = budgetKind
        const looking = Effect.provideContext(read(account), here)
        const before = yield* looking
        yield* untilListening
        meanwhile(way)
        yield* Effect.provideContext(change(account), elsewhere)
        assert.notDeepEqual(yield* untilChanged(looking, before), before)
        return "known"
      })
    )
  )

/** Far longer than a test may take: what is known earlier was told, not looked for. */
const hourMillis = 3_600_000

describe("on Postgres, by what is told", () => {
  it("a change is known long before anybody would look for it", async () => {
    assert.strictEqual(await measureKnown(hourMillis, () => {}), "known")
  })

  it("a change is known though the connection was cut before", async () => {
    assert.strictEqual(await measureKnown(1_000, ({ cut }) => cut()), "known")
  })

  it("a change is known though the connection has fallen silent", async () => {
    assert.strictEqual(await measureKnown(1_000, ({ silence }) => silence()), "known")
  })

  it("what listens is closed though the connection has fallen silent while nothing was asked on it", async () => {
    const closed = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { connect, untilListening, way } = yield* makeWatchedDatabase
          const scope = yield* Scope.make()
          yield* Scope.provide(connect(way.url, hourMillis), scope)
          yield* untilListening
          way.silence()
          return yield* Effect.exit(Scope.close(scope, Exit.void))
        })
      )
    )
    assert.isTrue(Exit.isSuccess(closed))
  })

  it("a change is known once the connection that was cut is there again", async () => {
    assert.strictEqual(await measureKnown(hourMillis, ({ cut }) => cut()), "known")
  })
})
