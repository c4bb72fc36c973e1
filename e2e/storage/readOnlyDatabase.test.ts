import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { postgres } from "@signalbox/sql"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { decide, manage, toErrorSummary, unavailable } from "../crash/crashRequests.ts"
import { crashKeys, crashSettings, makeCrashInstance } from "../crash/makeCrashInstance.ts"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())
afterEach(() => runSql(setReadOnly(false)))

/** Runs SQL in a session that may write. */
const runSql = (text: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(sql`SET default_transaction_read_only = off`, sql.unsafe(text))
      ),
      Layer.fresh(layerPostgresClient({ url: server.url, schema: "public", maxConnections: 1 }))
    )
  )

const startInstance = async () => {
  const schema = `read-only-${crypto.randomUUID()}`
  const upstream = await ScriptedUpstream.start()
  const lines: Array<string> = []
  const instance = await makeCrashInstance(upstream.url, {
    stores: postgres({ url: server.url, schema, maxConnections: 4 }),
    settings: crashSettings,
    telemetry: Logger.layer([
      Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${String(cause)}`))
    ])
  })
  const host = await nodeHost.start(instance, "")
  const { origin } = host
  return {
    origin,
    lines,
    sql: runSql,
    isReady: async () => (await send(`${origin}/api/v1/signalbox/ready`, { method: "GET" })).status,
    readStorage: async () =>
      getProperty(
        getProperty((await manage(origin, "GET", "/signalbox/health")).body, "data"),
        "storage"
      ),
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await instance.close()
      await upstream.close()
    }
  }
}

/** What a failover does to the sessions of a pool: those that are opened now cannot write. */
const setReadOnly = (isReadOnly: boolean): string =>
  `ALTER DATABASE postgres SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`

const endSessions =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'signalbox'"

test("a Postgres that became read-only is a 503, not ready, one log line, and no session of the pool afterwards", async () => {
  await using running = await startInstance()
  const { isReady, lines, origin, readStorage, sql } = running
  expect((await decide(origin, crashKeys.rich)).status).toBe(200)
  expect(await isReady()).toBe(200)

  await sql(setReadOnly(true))
  await sql(endSessions)
  // Sessions that ended are noticed first.
  await expect
    .poll(async () => (await decide(origin, crashKeys.rich)).status, { timeout: 240_000 })
    .toBe(503)
  await expect.poll(isReady, { timeout: 240_000 }).toBe(503)
  await expect.poll(readStorage, { timeout: 240_000 }).toMatchObject({
    status: "unavailable",
    reason: "the database is read-only, as after a failover (SQLSTATE 25006)"
  })
  lines.length = 0
  for (let n = 0; n < 50; n++) {
    const answers = await Promise.all([
      decide(origin, crashKeys.rich),
      manage(origin, "POST", "/keys", { name: `key-${n}` })
    ])
    expect(answers.map(toErrorSummary)).toEqual([unavailable, unavailable])
  }
  // The feed of changes, whose session ended too, reports that by itself.
  expect(lines.filter((line) => !line.includes("cannot listen for changes"))).toEqual([])

  await sql(setReadOnly(false))
  await expect.poll(isReady, { timeout: 240_000 }).toBe(200)
  const after = await Promise.all(Array.from({ length: 40 }, () => decide(origin, crashKeys.rich)))
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await manage(origin, "POST", "/keys", { name: "afterwards" })).status).toBe(201)
  expect(await readStorage()).toMatchObject({ status: "available" })
  expect(lines.filter((line) => line.includes("can be used again"))).toHaveLength(1)
}, 120_000)

test("records of requests that were answered while the database was read-only are written afterwards", async () => {
  await using running = await startInstance()
  const { isReady, origin, readStorage, sql } = running
  const answered = await decide(origin, crashKeys.rich)
  expect(answered.status).toBe(200)
  await sql(setReadOnly(true))
  await sql(endSessions)
  await expect
    .poll(async () => (await decide(origin, crashKeys.rich)).status, { timeout: 240_000 })
    .toBe(503)
  await sql(setReadOnly(false))
  await expect.poll(isReady, { timeout: 240_000 }).toBe(200)
  await expect.poll(readStorage, { timeout: 240_000 }).toMatchObject({
    queues: Array.from({ length: 3 }, () => ({ waiting: 0, failed: 0, dropped: 0 }))
  })
  const found = await manage(
    origin,
    "GET",
    `/signalbox/generations/${String(getProperty(answered.body, "id"))}`
  )
  expect(found.status).toBe(200)
}, 120_000)

test("20,000 Decisions in process leave 20,000 records, although nothing else does any I/O", async () => {
  const { sqlite } = await import("@signalbox/sql")
  await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-"))
  const path = join(folder.path, "signalbox.db")
  const signalbox = await Signalbox.make({
    stores: sqlite({ path }),
    upstreams: [
      {
        slug: "one",
        name: "One",
        decisions: {
          decide: () =>
            Effect.succeed({
              verdicts: new Map([["calm", { weights: [1, 0] }]]),
              usage: { inputTokens: 1, outputTokens: 1 },
              method: "native" as const
            }),
          estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
        }
      }
    ],
    models: [
      { id: "a/b", endpoints: [{ provider: "one", price: { prompt: "0", completion: "0" } }] }
    ]
  })
  try {
    for (let n = 0; n < 20_000; n++) {
      await signalbox.decide({
        model: "a/b",
        state: "The lamp has arrived.",
        questions: { calm: { type: "noul", instructions: "Is it calm?" } }
      })
    }
    const { storage } = (await signalbox.reports.health()).data
    expect(storage.queues.filter(({ dropped, failed }) => dropped + failed > 0)).toEqual([])
  } finally {
    await signalbox.close()
  }
  using database = new DatabaseSync(path)
  const counted = database.prepare("SELECT COUNT(*) AS records FROM generations").get()
  expect(counted).toEqual({ records: 20_000 })
}, 120_000)
