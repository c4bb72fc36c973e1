import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { layer, type SqliteOptions } from "../../src/connection/SqliteClient.ts"
import { newFile } from "../databases.ts"

const runOn =
  (options: SqliteOptions) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, Layer.fresh(layer(options))))

const inMemory = runOn({ path: ":memory:" })

const table = Effect.tap(SqlClient, (sql) => sql`CREATE TABLE t (id integer PRIMARY KEY, a bigint)`)
const ids = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ id: number }>`SELECT id FROM t ORDER BY id`, (rows) => rows.map(({ id }) => id))
)
const getErrorTag = <A, E extends { readonly reason: { readonly _tag: string } }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

describe("the SQLite client", () => {
  it("opens a file in WAL mode with foreign keys", () =>
    runOn({ path: newFile() })(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        assert.deepInclude(yield* sql`PRAGMA journal_mode`, { journal_mode: "wal" })
        assert.deepInclude(yield* sql`PRAGMA foreign_keys`, { foreign_keys: 1 })
        assert.deepInclude(yield* sql`PRAGMA synchronous`, { synchronous: 1 })
        assert.strictEqual(sql.driver, "sqlite-node")
      })
    ))

  it("distinguishes unique violations from other constraint errors", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* table
        yield* sql`INSERT INTO t (id) VALUES (1)`
        yield* sql`CREATE TABLE u (b text UNIQUE, c text NOT NULL)`
        yield* sql`INSERT INTO u (b, c) VALUES ('x', '')`
        assert.strictEqual(
          yield* getErrorTag(sql`INSERT INTO u (b, c) VALUES ('x', '')`),
          "UniqueViolation"
        )
        assert.strictEqual(
          yield* getErrorTag(sql`INSERT INTO u (b) VALUES ('y')`),
          "ConstraintError"
        )
      })
    ))

  it("reads large integers as bigint on request, and fails rather than round them", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* table
        const large = 9_007_199_254_740_993n
        yield* sql`INSERT INTO t (a) VALUES (${large})`
        const read = sql<{ a: unknown }>`SELECT a FROM t`
        assert.deepInclude(yield* Effect.provideService(read, SafeIntegers, true), { a: large })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(read)))
      })
    ))

  it("rolls back a nested transaction alone, and an outer one with everything in it", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* table
        const add = (id: number) => sql`INSERT INTO t (id) VALUES (${id})`
        const nested = sql.withTransaction(Effect.andThen(add(2), Effect.fail("no")))
        yield* sql.withTransaction(
          add(1).pipe(Effect.andThen(Effect.exit(nested)), Effect.andThen(add(3)))
        )
        yield* Effect.exit(
          sql.withTransaction(
            Effect.andThen(sql.withTransaction(add(4)), Effect.andThen(add(5), Effect.die("no")))
          )
        )
        assert.deepStrictEqual(yield* ids, [1, 3])
      })
    ))

  it("returns rows as arrays, as a stream, and the number of changes of a write", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* table
        const inserted = yield* sql`INSERT INTO t (id, a) VALUES (1, 2), (3, 4)`.raw
        assert.deepInclude(inserted, { changes: 2 })
        const all = sql`SELECT id, a FROM t ORDER BY id`
        assert.deepStrictEqual(yield* all.values, [
          [1, 2],
          [3, 4]
        ])
        assert.strictEqual((yield* Stream.runCollect(all.stream)).length, 2)
        assert.lengthOf(yield* all, 2)
      })
    ))

  it("runs more different statements than it caches", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (let i = 0; i < 500; i++) {
          const rows = yield* sql.unsafe<{ n: number }>(`SELECT ${i} AS n`)
          assert.strictEqual(rows[0]?.n, i)
        }
      })
    ))

  it("waits for the lock of another connection without blocking the process", async () => {
    const options = { path: newFile() }
    await runOn(options)(table)
    const writing = runOn(options)(
      Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          sql`INSERT INTO t (id) VALUES (1)`.pipe(Effect.andThen(Effect.sleep(100)))
        )
      )
    )
    const waiting = runOn(options)(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(Effect.sleep(30), sql`INSERT INTO t (id) VALUES (2)`)
      )
    )
    await Promise.all([writing, waiting])
    assert.deepStrictEqual(await runOn(options)(ids), [1, 2])
  })

  it("fails when the lock wait expires", async () => {
    const path = newFile()
    await runOn({ path })(table)
    const tag = await runOn({ path })(
      Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          Effect.promise(() =>
            runOn({ path, lockWaitMillis: 50 })(
              Effect.flatMap(SqlClient, (other) =>
                getErrorTag(other`INSERT INTO t (id) VALUES (1)`)
              )
            )
          )
        )
      )
    )
    assert.strictEqual(tag, "LockTimeoutError")
  })

  it("waits no more for a lock that one call has awaited in vain, until it can write again", async () => {
    const path = newFile()
    await runOn({ path })(table)
    using other = new DatabaseSync(path)
    const insert = Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO t (id) VALUES (1)`)
    const isLockTimeout = Effect.map(getErrorTag(insert), (tag) => tag === "LockTimeoutError")
    await Effect.runPromise(
      Effect.gen(function* () {
        const lock = Effect.sync(() => other.exec("BEGIN EXCLUSIVE"))
        const unlock = Effect.sync(() => other.exec("COMMIT"))
        const waitInVain = Effect.gen(function* () {
          const waiting = yield* Effect.forkChild(isLockTimeout, { startImmediately: true })
          yield* TestClock.adjust(4_000)
          assert.isUndefined(waiting.pollUnsafe())
          yield* TestClock.adjust(2_000)
          assert.isTrue(yield* Fiber.join(waiting))
        })
        yield* lock
        yield* waitInVain
        // The clock stands still.
        assert.isTrue(yield* isLockTimeout)
        assert.deepStrictEqual(yield* ids, [])
        yield* unlock
        yield* insert
        yield* lock
        yield* waitInVain
      }).pipe(Effect.provide(Layer.provideMerge(layer({ path }), TestClock.layer())))
    )
  })

  it("fails for a file in a missing folder", async () => {
    const opened = await Effect.runPromise(
      Effect.exit(Effect.provide(SqlClient, layer({ path: "/missing/folder/signalbox.db" })))
    )
    assert.isTrue(Exit.isFailure(opened))
  })
})
