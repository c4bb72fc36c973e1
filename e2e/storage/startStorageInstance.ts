/** An instance on a store whose failures a test causes: its probes, its log, and SQL beside it. */
import type { Options } from "@signalbox/core"
import { postgres, sqlite } from "@signalbox/sql"
import { ScriptedUpstream } from "@signalbox/testing"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"
import { manage } from "../crash/crashRequests.ts"
import { crashSettings, makeCrashInstance } from "../crash/makeCrashInstance.ts"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs SQL in the only session of the instance. */
export const startOnSqlite = async (
  options: Partial<Options> = {},
  path = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
) => {
  const connection = Promise.withResolvers<SqlClient>()
  const stores = Layer.effectDiscard(Effect.map(SqlClient, (sql) => connection.resolve(sql))).pipe(
    Layer.provideMerge(sqlite({ path, lockWaitMillis: 200 }))
  )
  const running = await startStorageInstance({ stores, ...options })
  const session = await connection.promise
  const sql = (text: string): Promise<Rows> => Effect.runPromise(session.unsafe<Rows[number]>(text))
  return Object.assign(running, { path, sql })
}

/** Runs SQL in a session of its own, which may write and ends afterwards. */
export const runOnPostgres = (url: string, schema: string, text: string): Promise<Rows> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(sql`SET default_transaction_read_only = off`, sql.unsafe<Rows[number]>(text))
      ),
      Layer.fresh(layerPostgresClient({ url, schema, maxConnections: 1 }))
    )
  )

/** The size of the pool of an instance on Postgres. */
export const sessionCount = 4

/** `url` is the URL of an owner of the database; the instance may use another one. */
export const startOnPostgres = async (
  url: string,
  { instanceUrl = url, ...options }: Partial<Options> & { readonly instanceUrl?: string } = {}
) => {
  const schema = `storage-${crypto.randomUUID()}`
  const pool = Promise.withResolvers<SqlClient>()
  const stores = Layer.effectDiscard(Effect.map(SqlClient, (sql) => pool.resolve(sql))).pipe(
    Layer.provideMerge(postgres({ url: instanceUrl, schema, maxConnections: sessionCount }))
  )
  const running = await startStorageInstance({ stores, ...options })
  const sql = (text: string): Promise<Rows> => runOnPostgres(url, schema, text)
  return Object.assign(running, { schema, sql, pool: await pool.promise })
}

const startStorageInstance = async ({ settings, ...options }: Partial<Options>) => {
  const upstream = await ScriptedUpstream.start()
  const lines: Array<string> = []
  const instance = await makeCrashInstance(upstream.url, {
    settings: { ...crashSettings, ...settings },
    telemetry: Logger.layer([
      Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${String(cause)}`))
    ]),
    ...options
  })
  const host = await nodeHost.start(instance, "")
  const { origin } = host
  return {
    origin,
    upstream,
    /** What was logged. */
    lines,
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
export const setReadOnly = (isReadOnly: boolean): string =>
  `ALTER DATABASE postgres SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`

export const endSessions =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'signalbox'"
