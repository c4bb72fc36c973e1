import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqlite } from "@signalbox/sql"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import { decide, manage, toErrorSummary, unavailable } from "./crashRequests.ts"
import { makeCrashInstance, crashKeys } from "./makeCrashInstance.ts"
import { nodeHost } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"

/** Starts an instance on a database file whose growth can be stopped. */
const startInstance = async () => {
  const upstream = await ScriptedUpstream.start()
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
  const connection = Promise.withResolvers<SqlClient>()
  const stores = Layer.provideMerge(
    Layer.effectDiscard(
      Effect.map(SqlClient, (sql) => {
        connection.resolve(sql)
      })
    ),
    sqlite({ path })
  )
  const instance = await makeCrashInstance(upstream.url, { stores })
  const host = await nodeHost.start(instance, "")
  const sql = await connection.promise
  const rows = <A extends object>(text: string) => Effect.runPromise(sql.unsafe<A>(text))
  return {
    origin: host.origin,
    upstream,
    rows,
    /** Stops the growth; SQLite still fills the free pages. */
    fill: async () => {
      const [{ page_count } = { page_count: 0 }] = await rows<{ page_count: number }>(
        "PRAGMA page_count"
      )
      await rows(`PRAGMA max_page_count = ${page_count}`)
    },
    makeRoom: () => rows("PRAGMA max_page_count = 1000000"),
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await instance.close()
      await upstream.close()
    }
  }
}

test("an instance on a full disk rejects writes atomically, serves reads, and recovers when there is space", async () => {
  await using server = await startInstance()
  const { fill, makeRoom, origin, rows } = server
  await fill()
  const created: Array<unknown> = []
  const create = async () => {
    const answer = await manage(origin, "POST", "/workspaces", {
      name: `Workspace ${created.length}`,
      slug: `workspace-${created.length}`,
      description: "x".repeat(400)
    })
    if (answer.status === 201) created.push(getProperty(getProperty(answer.body, "data"), "slug"))
    return answer
  }
  let refused = await create()
  for (let n = 0; n < 500 && refused.status === 201; n++) refused = await create()
  expect(toErrorSummary(refused)).toEqual(unavailable)

  const stored = await rows<{ slug: string }>("SELECT slug FROM workspaces ORDER BY seq")
  expect(stored.map(({ slug }) => slug).filter((slug) => slug.startsWith("workspace-"))).toEqual(
    created
  )
  // The audit log has an entry for every created workspace and no other.
  const audited = await rows<{ document: string }>("SELECT document FROM audit_entries")
  expect(audited.filter(({ document }) => document.includes("workspace")).length).toBe(
    created.length
  )
  expect((await manage(origin, "GET", "/workspaces?limit=100")).status).toBe(200)
  expect((await manage(origin, "GET", "/keys")).status).toBe(200)

  // The spending is updated in place. A record that does not fit is dropped, and the Decision still succeeds.
  expect((await decide(origin, crashKeys.rich)).status).toBe(200)

  await makeRoom()
  expect((await create()).status).toBe(201)
  expect((await decide(origin, crashKeys.rich)).status).toBe(200)
})
