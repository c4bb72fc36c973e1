import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { manage } from "../crash/crashRequests.ts"
import { checkFault, type Fault, maxLines, requests } from "./checkFault.ts"
import { type LimitedInstance, startLimitedInstance } from "./startLimitedInstance.ts"
import { sessionCount } from "./startStorageInstance.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

/** A failure that the database reports by this code. */
const raise = (code: string, reason?: string): Fault<LimitedInstance> => ({
  fail: ({ addTriggers }) => addTriggers(`RAISE EXCEPTION 'spoilt' USING ERRCODE = '${code}'`),
  recover: ({ dropTriggers }) => dropTriggers(),
  ...(reason === undefined ? undefined : { reason })
})

const onPostgres: Readonly<Record<string, Fault<LimitedInstance>>> = {
  "42P01, a lost schema": {
    fail: ({ adminOfDatabase, schema }) =>
      adminOfDatabase(`ALTER SCHEMA "${schema}" RENAME TO moved`),
    recover: ({ adminOfDatabase, schema }) =>
      adminOfDatabase(`ALTER SCHEMA moved RENAME TO "${schema}"`),
    reason: "a table is missing, as in an older copy of the database (SQLSTATE 42P01)"
  },
  "42P01, a lost table": {
    fail: ({ sql }) => sql("ALTER TABLE reservations RENAME TO moved"),
    recover: ({ sql }) => sql("ALTER TABLE moved RENAME TO reservations"),
    reason: "the schema has lost reservations.",
    fails: ["chat", "decision"]
  },
  "42703, a lost column": {
    fail: ({ sql }) => sql("ALTER TABLE api_keys RENAME COLUMN document TO moved"),
    recover: ({ sql }) => sql("ALTER TABLE api_keys RENAME COLUMN moved TO document"),
    reason: "the schema has lost api_keys.document",
    fails: ["management"]
  },
  "42883, a lost function": {
    fail: ({ sql }) => sql("ALTER ROUTINE ledger_apply RENAME TO ledger_moved"),
    recover: ({ sql }) => sql("ALTER ROUTINE ledger_moved RENAME TO ledger_apply"),
    reason: "the schema has lost ledger_apply()",
    fails: ["chat", "decision"]
  },
  "40001, a serialization failure": raise("40001"),
  "40P01, a deadlock": raise("40P01"),
  "40003, an unknown outcome": raise("40003"),
  "42501, a lost privilege": raise("42501"),
  "53200, no memory": raise("53200"),
  "XX000, an internal error": raise("XX000"),
  "53100, a full disk": raise("53100", "the disk of the database is full (SQLSTATE 53100)"),
  "58030, an error of the disk": raise(
    "58030",
    "the database cannot read or write its files (SQLSTATE 58030)"
  ),
  "XX001, corrupt data": raise("XX001", "data of the database are corrupt (SQLSTATE XX001)"),
  "XX002, a corrupt index": raise("XX002", "an index of the database is corrupt (SQLSTATE XX002)")
}

test.each(Object.entries(onPostgres))(
  "%s is 503 with few lines in the log, and over without a restart",
  async (_, fault) => {
    await using running = await startLimitedInstance(server.url)
    expect(await checkFault(running, fault)).toBeLessThanOrEqual(maxLines)
  },
  120_000
)

test("0A000, a column of another type, is prepared anew without an error for callers", async () => {
  await using running = await startLimitedInstance(server.url)
  const { origin, sql } = running
  for (let n = 0; n < 10; n++) {
    expect((await requests.management(origin)).status).toBe(201)
    expect((await manage(origin, "GET", "/keys")).status).toBe(200)
  }
  await sql("ALTER TABLE api_keys ALTER COLUMN document TYPE varchar")
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => manage(origin, "GET", "/keys"))
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await requests.management(origin)).status).toBe(201)
}, 120_000)

test("26000, prepared statements that are gone, are prepared anew; only transactions fail once", async () => {
  await using running = await startLimitedInstance(server.url)
  const { isReady, lines, origin, pool } = running
  const list = () => Promise.all(Array.from({ length: 20 }, () => manage(origin, "GET", "/keys")))
  expect((await requests.management(origin)).status).toBe(201)
  await list()

  await Effect.runPromise(
    // Each holds a session until all have one.
    Effect.scoped(
      Effect.flatMap(
        Effect.all(Arr.replicate(pool.reserve, sessionCount), { concurrency: "unbounded" }),
        Effect.forEach((reserved) => reserved.executeUnprepared("DEALLOCATE ALL", [], undefined))
      )
    )
  )
  expect(new Set((await list()).map(({ status }) => status))).toEqual(new Set([200]))
  await expect.poll(async () => (await requests.management(origin)).status).toBe(201)
  expect(await isReady()).toBe(200)
  expect(lines.length).toBeLessThanOrEqual(maxLines)
}, 120_000)
