/** What an outage of Postgres means for callers who need no database, with and without `staleOnErrorMillis`. */
import type { SettingsShape } from "@signalbox/core"
import { postgres } from "@signalbox/sql"
import { ScriptedUpstream } from "@signalbox/testing"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { decide, manage } from "../crash/crashRequests.ts"
import {
  crashKeys,
  crashLimits,
  crashSettings,
  makeCrashInstance
} from "../crash/makeCrashInstance.ts"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

const unlimited = "sk-crash-unlimited"

const start = async (schema: string, settings: Partial<SettingsShape>) => {
  const upstream = await ScriptedUpstream.start()
  const instance = await makeCrashInstance(upstream.url, {
    stores: postgres({ url: server.url, schema, maxConnections: 4 }),
    keys: [
      { key: crashKeys.management, kind: "management" },
      { key: crashKeys.rich, kind: "member", user: "rich", limit: crashLimits.rich },
      { key: unlimited, kind: "member", user: "unlimited" }
    ],
    credits: {},
    settings: { ...crashSettings, keyCacheTtlMillis: 600_000, ...settings }
  })
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
    await upstream.close()
  })
  return host.origin
}

const status = async (origin: string, key: string) => (await decide(origin, key)).status

const makeKey = async (origin: string) => {
  const { body } = await manage(origin, "POST", "/keys", { name: "deleted" })
  return {
    key: String(getProperty(body, "key")),
    hash: String(getProperty(getProperty(body, "data"), "hash"))
  }
}

test("with staleOnErrorMillis an outage refuses limited requests and keys deleted before, and nobody else", async () => {
  const schema = `stale-${crypto.randomUUID()}`
  const origin = await start(schema, { staleOnErrorMillis: 600_000, keyCacheTtlMillis: 1 })
  const other = await start(schema, {})
  const deleted = await makeKey(other)
  expect(await status(other, unlimited)).toBe(200)
  for (const key of [unlimited, crashKeys.rich, deleted.key]) {
    expect(await status(origin, key)).toBe(200)
  }
  await manage(other, "DELETE", `/keys/${deleted.hash}`)
  await expect.poll(() => status(origin, deleted.key), { timeout: 240_000 }).toBe(401)

  server.signal("SIGKILL")
  await expect.poll(() => status(origin, crashKeys.rich), { timeout: 240_000 }).toBe(503)
  // Without it, callers are refused once the feed of changes has failed, which invalidates everything.
  await expect.poll(() => status(other, unlimited), { timeout: 240_000 }).toBe(503)
  for (let n = 0; n < 100; n++) expect(await status(origin, unlimited)).toBe(200)
  expect([401, 503]).toContain(await status(origin, deleted.key))
  expect(await status(origin, crashKeys.rich)).toBe(503)

  await server.startAgain()
  await expect.poll(() => status(origin, crashKeys.rich), { timeout: 240_000 }).toBe(200)
  expect(await status(origin, deleted.key)).toBe(401)
  expect(await status(origin, unlimited)).toBe(200)
  await expect.poll(() => status(other, unlimited), { timeout: 240_000 }).toBe(200)
}, 120_000)
