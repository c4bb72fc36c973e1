import type { SettingsShape } from "@signalbox/core"
import { postgres } from "@signalbox/sql"
import { pace, ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { decide, manage, toErrorSummary, unavailable } from "./crashRequests.ts"
import { CrashLoad, toGenerationIds } from "./CrashLoad.ts"
import { makeCrashInstance, crashKeys, crashSettings, price } from "./makeCrashInstance.ts"
import { nodeHost } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

const timeout = 180_000

/** Starts an instance with this number of connections in its own schema. */
const startInstance = async (maxConnections: number, settings: Partial<SettingsShape> = {}) => {
  const schema = `crash-${crypto.randomUUID()}`
  const upstream = await ScriptedUpstream.start()
  const instance = await makeCrashInstance(upstream.url, {
    stores: postgres({ url: server.url, schema, maxConnections }),
    settings: { ...crashSettings, ...settings }
  })
  const host = await nodeHost.start(instance, "")
  const client = Layer.fresh(layerPostgresClient({ url: server.url, schema, maxConnections: 1 }))
  return {
    origin: host.origin,
    upstream,
    /** Runs SQL on a separate connection. */
    sql: <A>(use: (sql: SqlClient) => Effect.Effect<A, unknown>) =>
      Effect.runPromise(Effect.provide(Effect.flatMap(SqlClient, use), client)),
    lockCounters: () => holdLock(client, "SELECT 1 FROM limit_counters FOR UPDATE"),
    lockKeys: () => holdLock(client, "SELECT 1 FROM api_keys FOR UPDATE"),
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await instance.close()
      await upstream.close()
    }
  }
}

/** Holds the locks of a statement until it is released or disposed. */
const holdLock = async (client: Layer.Layer<SqlClient, unknown>, statement: string) => {
  const isLocked = Latch.makeUnsafe()
  const isReleased = Latch.makeUnsafe()
  const holding = Effect.runPromise(
    Effect.flatMap(SqlClient, (sql) =>
      sql.withTransaction(
        sql.unsafe(statement).pipe(Effect.andThen(isLocked.open), Effect.andThen(isReleased.await))
      )
    ).pipe(Effect.provide(client))
  )
  await Promise.race([holding, Effect.runPromise(isLocked.await)])
  const release = async () => {
    isReleased.openUnsafe()
    await holding
  }
  return { release, [Symbol.asyncDispose]: release }
}

const selectWaitingLocks = (sql: SqlClient) => sql`SELECT pid FROM pg_locks WHERE NOT granted`

/** The counters of the credits and the key, as text. */
const selectCounters = (sql: SqlClient) =>
  sql<{ settled: string; reserved: string }>`
    SELECT settled::text, reserved::text FROM limit_counters ORDER BY counter_key`

const addKey = (origin: string, name: string) => manage(origin, "POST", "/keys", { name })
const toNames = ({ body }: HttpResponse): ReadonlyArray<unknown> => {
  const keys = getProperty(body, "data")
  return Array.isArray(keys) ? keys.map((key) => getProperty(key, "name")) : []
}

test(
  "an instance recovers after Postgres is killed under load, and loses no accepted request",
  { timeout },
  async () => {
    await using testInstance = await startInstance(4)
    const { origin, sql } = testInstance
    const accepted: Array<string> = []
    const refused: Array<HttpResponse | undefined> = []
    const over = new AbortController()
    const managing = async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const answer = await addKey(origin, `key-${n}`)
        if (answer.status === 201) accepted.push(`key-${n}`)
        else refused.push(answer)
      }
    }
    const manager = managing()
    const callers = new CrashLoad(() => origin, [crashKeys.rich], 8)
    const answered = (count: number) =>
      vi.waitFor(() => expect(callers.with(200).length).toBeGreaterThan(count), {
        timeout: 240_000,
        interval: 20
      })
    await answered(40)
    const early = toGenerationIds(callers.results)
    const recorded = () =>
      sql((sql) => sql`SELECT id FROM generations WHERE ${sql.in("id", early)}`)
    await expect.poll(recorded, { timeout: 240_000 }).toHaveLength(early.length)

    server.signal("SIGKILL")
    await expect
      .poll(() => callers.with(503).length, { timeout: 240_000, interval: 20 })
      .toBeGreaterThan(20)
    await server.startAgain()
    await answered(callers.with(200).length + 40)
    await expect.poll(() => accepted.length, { timeout: 240_000 }).toBeGreaterThan(accepted.length)
    over.abort()
    await Promise.all([callers.stop(), manager])

    const statuses = new Set(callers.results.map(({ response }) => response?.status))
    expect([...statuses].filter((status) => ![200, 503].includes(status ?? 0))).toEqual([])
    refused.push(...callers.with(503).map(({ response }) => response))
    for (const answer of refused) {
      expect(toErrorSummary(answer)).toEqual(unavailable)
    }
    expect(await recorded()).toHaveLength(early.length)
    const keys = await manage(origin, "GET", "/keys?limit=100")
    expect(accepted.slice(0, 50).filter((name) => !toNames(keys).includes(name))).toEqual([])
    const [counter] = await sql(
      (sql) => sql<{
        total: bigint
      }>`SELECT (settled + reserved)::bigint AS total FROM limit_counters
      WHERE counter_key LIKE ${"credits%"}`
    )
    expect(BigInt(counter?.total ?? 0)).toBeGreaterThanOrEqual(
      BigInt(callers.with(200).length) * price
    )
  }
)

test(
  "requests wait for a free connection until their timeout and fail with a clear error",
  { timeout },
  async () => {
    await using server = await startInstance(1)
    const { origin, sql } = server
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
    await using lock = await server.lockCounters()
    // The reservation occupies the only connection until the lock is released.
    const first = decide(origin, crashKeys.rich)
    await expect.poll(() => sql(selectWaitingLocks), { timeout: 240_000 }).toHaveLength(1)
    const [second, ...answers] = await Promise.all([
      decide(origin, crashKeys.rich),
      manage(origin, "GET", "/keys"),
      addKey(origin, "never created")
    ])
    expect(answers.map(toErrorSummary)).toEqual([unavailable, unavailable])
    expect([await first, second].map(toErrorSummary)).toEqual([unavailable, unavailable])
    await lock.release()
    await expect
      .poll(async () => (await decide(origin, crashKeys.rich)).status, { timeout: 240_000 })
      .toBe(200)
    expect(toNames(await manage(origin, "GET", "/keys"))).not.toContain("never created")
  }
)

test("a change that waits for a lock times out and is rolled back", { timeout }, async () => {
  await using server = await startInstance(4)
  const { origin, sql } = server
  const hash = String(
    getProperty(getProperty((await addKey(origin, "before")).body, "data"), "hash")
  )
  await using lock = await server.lockKeys()
  const answer = await manage(origin, "PATCH", `/keys/${hash}`, { name: "after" })
  expect(toErrorSummary(answer)).toEqual(unavailable)
  await lock.release()
  expect(await sql(selectWaitingLocks)).toEqual([])
  expect(toNames(await manage(origin, "GET", "/keys"))).toContain("before")
})

test(
  "a request whose reservation waits for a lock ends at its deadline and leaves no reservation",
  { timeout },
  async () => {
    await using server = await startInstance(4)
    const { origin, sql, upstream } = server
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
    const before = await sql(selectCounters)
    await using lock = await server.lockCounters()
    const requestsBefore = upstream.requests.length
    const begun = performance.now()
    const late = await decide(origin, crashKeys.rich)
    const millis = performance.now() - begun
    expect(toErrorSummary(late)).toEqual(unavailable)
    expect(millis).toBeGreaterThanOrEqual(crashSettings.totalTimeoutMillis - 50)
    expect(upstream.requests.length).toBe(requestsBefore)
    await lock.release()
    await expect.poll(() => sql(selectCounters), { timeout: 240_000 }).toEqual(before)
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
  }
)

/** Long enough to take the lock before the response, even on a busy machine. */
const longDeadline = { totalTimeoutMillis: 8_000, reservationLeaseMillis: 10_000 }

test(
  "a response whose settlement waits for a lock is sent by the deadline and settled after the lock is released",
  { timeout },
  async () => {
    await using server = await startInstance(4, longDeadline)
    const { origin, sql, upstream } = server
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
    const [before] = await sql(selectCounters)
    const gate = upstream.gate()
    upstream.script(pace.hold(gate))
    const arrived = upstream.requests.length
    const pending = decide(origin, crashKeys.rich)
    await expect.poll(() => upstream.requests.length, { timeout: 240_000 }).toBe(arrived + 1)
    await using lock = await server.lockCounters()
    gate.open()
    expect((await pending).status).toBe(200)
    expect(await sql(selectCounters)).toEqual([
      { settled: before?.settled, reserved: String(price) },
      { settled: before?.settled, reserved: String(price) }
    ])
    await lock.release()
    const settled = String(BigInt(before?.settled ?? 0) + price)
    await expect
      .poll(() => sql(selectCounters), { timeout: 240_000 })
      .toEqual([
        { settled, reserved: "0" },
        { settled, reserved: "0" }
      ])
  }
)

test(
  "a hanging Postgres delays requests until their timeout at most, and is used again when it recovers",
  { timeout },
  async () => {
    await using testInstance = await startInstance(4)
    const { origin, upstream } = testInstance
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
    const requestsBefore = upstream.requests.length
    server.signal("SIGSTOP")
    try {
      const answers = await Promise.all([
        decide(origin, crashKeys.rich),
        manage(origin, "GET", "/keys"),
        addKey(origin, "never created")
      ])
      expect(upstream.requests.length).toBe(requestsBefore)
      expect(answers.map(toErrorSummary)).toEqual([unavailable, unavailable, unavailable])
    } finally {
      server.signal("SIGCONT")
    }
    await expect
      .poll(async () => (await decide(origin, crashKeys.rich)).status, { timeout: 240_000 })
      .toBe(200)
    await expect
      .poll(async () => (await manage(origin, "GET", "/keys")).status, { timeout: 240_000 })
      .toBe(200)
  }
)
