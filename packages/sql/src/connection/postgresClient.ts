/** A Postgres client whose connections begin in one schema, which it creates. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { ConnectionOptions } from "node:tls"
import { StorageUnavailable } from "../errors/StorageErrors.ts"

/** Where Postgres is and how to connect. Only `url` is required. */
export interface PostgresClientOptions {
  /**
   * Such as `postgres://user:password@host:5432/database`. An unset variable is accepted here and fails with
   * `StorageUnavailable`.
   */
  readonly url: string | Redacted.Redacted | undefined
  /**
   * TLS. `true` encrypts and checks the certificate against the system's authorities. An object holds
   * options of `node:tls`, such as `{ ca: readFileSync("authority.pem") }`. `false` never encrypts. Takes
   * precedence over `sslmode` in `url`. Default: `sslmode`, or no TLS without it.
   */
  readonly ssl?: boolean | ConnectionOptions
  /** The schema of all tables; created if it does not exist. Default: `signalbox`. */
  readonly schema?: string
  /** Connections in this process's pool; one more listens for changes. Default: 10. */
  readonly maxConnections?: number
  /**
   * Whether to prepare statements. Set it to false behind a pooler in transaction mode that does not support
   * prepared statements. Default: true.
   */
  readonly prepare?: boolean
}

/** Connects and creates the schema, and migrates nothing. Fails when a pooler ignores the schema or the time zone. */
export const layerPostgresClient = ({
  maxConnections,
  prepare,
  schema = "signalbox",
  ssl,
  url
}: PostgresClientOptions & { readonly url: string | Redacted.Redacted }) =>
  Layer.effectDiscard(Effect.andThen(createSchema(schema), checkSession(schema))).pipe(
    Layer.provideMerge(
      PgClient.layer({
        maxConnections,
        prepare,
        ssl,
        url: typeof url === "string" ? Redacted.make(url) : url,
        // The driver reads these from the url too, but spans would name every server localhost without them.
        ...parseServer(typeof url === "string" ? url : Redacted.value(url)),
        applicationName: "signalbox",
        startupParameters: {
          search_path: `"${schema.replaceAll('"', '""')}"`,
          // The queue of jobs has timestamps without a zone, whose meaning would differ between sessions, and twice a year.
          TimeZone: "UTC"
        }
      })
    )
  )

/** The host, port and database of a url as the driver reads them, without credentials. */
const parseServer = (url: string): { host?: string; port?: number; database?: string } => {
  const { hostname, pathname, port: portInAuthority, searchParams, username } = new URL(url)
  const parameter = (name: string): string | undefined => searchParams.get(name) ?? undefined
  const host = parameter("host") ?? decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1"))
  const port = parameter("port") ?? portInAuthority
  const database =
    parameter("dbname") ??
    [pathname.slice(1), username].map(decodeURIComponent).find((name) => name !== "") ??
    parameter("user")
  return {
    ...(host === "" ? undefined : { host }),
    ...(port === "" ? undefined : { port: Number(port) }),
    ...(database === undefined ? undefined : { database })
  }
}

/** Looks first, so that a role without the right to create schemas can use an existing one. */
const createSchema = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const found = sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
  if ((yield* found).length > 0) return
  yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`.pipe(
    Effect.catchTag("SqlError", (error) =>
      // Two processes may create it at the same time, and one of them fails.
      Effect.flatMap(found, (rows) => (rows.length > 0 ? Effect.void : Effect.fail(error)))
    )
  )
})

/**
 * Without `search_path`, every table would be created in another schema. Without the time zone, a process would take over steps
 * of jobs that another one is running. PgBouncer passes the time zone on:
 * https://www.pgbouncer.org/config.html#track_extra_parameters.
 */
const checkSession = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ found: string | null; zone: string }>`
    SELECT current_schema() AS found, current_setting('TimeZone') AS zone`
  if (row?.found !== schema) {
    return yield* failDropped(
      `in the schema ${row?.found ?? "(none)"} instead of ${schema}`,
      `search_path TO "${schema}"`
    )
  }
  if (!/^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu)$/i.test(row.zone)) {
    return yield* failDropped(`in the time zone ${row.zone} instead of UTC`, "timezone TO 'UTC'")
  }
})

const failDropped = (found: string, setting: string) =>
  new StorageUnavailable({
    where: "Postgres",
    cause: new Error(
      `connections start ${found}, because a pooler drops ${setting.split(" ")[0]}: ` +
        `run ALTER ROLE my_role SET ${setting} for the role in its url`
    )
  })
