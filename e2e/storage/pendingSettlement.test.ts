import { pace } from "@signalbox/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { decide, manage } from "../crash/crashRequests.ts"
import { crashKeys, price } from "../crash/makeCrashInstance.ts"
import { getProperty } from "../support/getProperty.ts"
import { endSessions, setReadOnly, startOnPostgres, startOnSqlite } from "./startStorageInstance.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

/** Long enough that no reservation of these tests lapses. */
const settings = { totalTimeoutMillis: 60_000, reservationLeaseMillis: 120_000 }

const stores = {
  SQLite: async () => {
    const running = await startOnSqlite({ settings })
    return Object.assign(running, {
      fail: () => running.sql("PRAGMA query_only = on"),
      recover: () => running.sql("PRAGMA query_only = off")
    })
  },
  Postgres: async () => {
    const running = await startOnPostgres(server.url, { settings })
    return Object.assign(running, {
      fail: async () => {
        await running.sql(setReadOnly(true))
        await running.sql(endSessions)
      },
      recover: () => running.sql(setReadOnly(false))
    })
  }
}

const counters =
  "SELECT CAST(settled AS TEXT) AS settled, CAST(reserved AS TEXT) AS reserved FROM limit_counters"

test.each(Object.entries(stores))(
  "an answer that came while %s took no changes is charged what it cost once it takes them again",
  async (_, start) => {
    await using running = await start()
    const { fail, isReady, origin, recover, sql, upstream } = running
    expect((await decide(origin, crashKeys.rich)).status).toBe(200)
    const gate = upstream.gate()
    upstream.script(pace.hold(gate))
    const arrived = upstream.requests.length
    const pending = decide(origin, crashKeys.rich)
    await expect.poll(() => upstream.requests.length, { timeout: 240_000 }).toBe(arrived + 1)

    await fail()
    await expect
      .poll(async () => (await decide(origin, crashKeys.rich)).status, { timeout: 240_000 })
      .toBe(503)
    await expect.poll(isReady, { timeout: 240_000 }).toBe(503)
    gate.open()
    const answer = await pending
    expect(answer.status).toBe(200)

    await recover()
    await expect.poll(isReady, { timeout: 240_000 }).toBe(200)
    const both = { settled: String(2n * price), reserved: "0" }
    await expect.poll(() => sql(counters), { timeout: 240_000 }).toEqual([both, both])
    expect(await sql("SELECT id FROM reservations")).toEqual([])
    // What the key has spent, and the record of the answer, are there, too.
    const spend = async () =>
      (await sql("SELECT CAST(credits AS TEXT) AS credits FROM spend")).map(
        ({ credits }) => credits
      )
    await expect.poll(spend, { timeout: 240_000 }).toContain(String(2n * price))
    const id = String(getProperty(answer.body, "id"))
    expect((await manage(origin, "GET", `/generation?id=${id}`)).status).toBe(200)
  },
  120_000
)
