/** Storage in Postgres, for as many processes as there are. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { checkOptionTypes, type OptionTypes, type Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { ConnectionOptions } from "node:tls"
import { layerPostgresChangeFeed } from "./changeFeed/postgresChangeFeed.ts"
import { type Retention, layerPurgeExpired } from "./purgeExpired.ts"
import { migrate } from "./migrate.ts"
import { type SchemaTooNew, StorageUnavailable } from "./StorageErrors.ts"
import {
  toStalenessMillis,
  layerStorage,
  type StorageOptions,
  storageOptionTypes
} from "./storage.ts"
import { layerUnavailable } from "./layerUnavailable.ts"

/** Only `url` is needed. */
export interface PostgresOptions extends Retention, StorageOptions {
  /** Such as `postgres://user:password@host:5432/database`; undefined is refused like one that is none. */
  readonly url: string | Redacted.Redacted | undefined
  /**
   * TLS: `true` encrypts and checks the certificate against the system's authorities, an object names others,
   * such as `{ ca: readFileSync("authority.pem") }`, and `false` never encrypts. It takes precedence over `sslmode` in
   * `url`; default: what that says, and without it no TLS.
   */
  readonly ssl?: boolean | ConnectionOptions
  /** The schema of all tables, made when it is not there; default: `signalbox`. */
  readonly schema?: string
  /** Connections of this process at most, and one more that hears of changes; default: 10. */
  readonly maxConnections?: number
  /** False behind a pooler in transaction mode, which keeps no prepared statements; default: true. */
  readonly prepare?: boolean
}

const optionTypes: OptionTypes<PostgresOptions> = {
  url: ["string", "object"],
  ssl: ["boolean", "object"],
  schema: ["string"],
  maxConnections: ["number"],
  prepare: ["boolean"],
  ...storageOptionTypes
}

/**
 * Every store, in a schema of its own, and the `SqlClient` behind them. Fails with `SchemaTooNew` when a
 * later version has changed the schema, and with `StorageUnavailable` when it cannot be used at all. Throws a
 * `RangeError` for an option that is none.
 *
 * ```ts
 * const stores = postgres({ url: process.env.DATABASE_URL })
 * const box = await Signalbox.make({ stores, upstreams, models })
 * ```
 */
export const postgres = (
  options: PostgresOptions
): Layer.Layer<Stores | SqlClient.SqlClient, SchemaTooNew | StorageUnavailable> => {
  checkOptionTypes("postgres", options, optionTypes)
  const { url = "" } = options
  const text = typeof url === "string" ? url : Redacted.value(url)
  const problem = findUrlProblem(text)
  if (problem !== undefined) {
    // What a parser says of it holds all of it, the password too.
    return layerUnavailable("Postgres")(new Error(problem))
  }
  return layerStorage(options).pipe(
    Layer.merge(layerPurgeExpired(options)),
    Layer.provideMerge(layerPostgresChangeFeed(toStalenessMillis(options))),
    Layer.provideMerge(Layer.effectDiscard(migrate())),
    Layer.provideMerge(layerPostgresClient({ ...options, url })),
    Layer.catchTag(
      ["SqlError", "MigrationError"],
      layerUnavailable(`Postgres at ${formatServer(text)}`)
    )
  )
}

const findUrlProblem = (url: string): string | undefined => {
  if (url === "") return "it has no url; is the variable that holds it set?"
  return URL.canParse(url) && isAddress(new URL(url))
    ? undefined
    : "its url is none: write it as postgres://user:password@host:5432/database, with %-escapes for what is special in a password"
}

/** A password with `/`, `?` or `#` in it would pass for a path, and its beginning for a port. */
const isAddress = ({ hash, pathname, protocol, search, searchParams, username }: URL): boolean =>
  /^postgres(?:ql)?:$/.test(protocol) &&
  (username !== "" || searchParams.has("user") || !`${pathname}${search}${hash}`.includes("@"))

/** The host and the database, without user and password. */
const formatServer = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Where the url leads, as the driver reads it, without user and password. */
const parseServer = (url: string): { host?: string; port?: number; database?: string } => {
  const { hostname, pathname, port, searchParams, username } = new URL(url)
  const parameter = (name: string): string | undefined => searchParams.get(name) ?? undefined
  const host = parameter("host") ?? decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1"))
  const atPort = parameter("port") ?? port
  const database =
    parameter("dbname") ??
    [pathname.slice(1), username].map(decodeURIComponent).find((name) => name !== "") ??
    parameter("user")
  return {
    ...(host === "" ? undefined : { host }),
    ...(atPort === "" ? undefined : { port: Number(atPort) }),
    ...(database === undefined ? undefined : { database })
  }
}

/** The client alone: nothing is migrated. */
export const layerPostgresClient = ({
  maxConnections,
  prepare,
  schema = "signalbox",
  ssl,
  url
}: PostgresOptions & { readonly url: string | Redacted.Redacted }) =>
  Layer.effectDiscard(Effect.andThen(createSchema(schema), checkSearchPath(schema))).pipe(
    Layer.provideMerge(
      PgClient.layer({
        maxConnections,
        prepare,
        ssl,
        url: typeof url === "string" ? Redacted.make(url) : url,
        // The same again: spans name the server by these, and without them call every one localhost.
        ...parseServer(typeof url === "string" ? url : Redacted.value(url)),
        applicationName: "signalbox",
        // Quoted, as it is where it is made.
        startupParameters: { search_path: `"${schema.replaceAll('"', '""')}"` }
      })
    )
  )

/** Asked for first: a role that may not make schemas can use one that was made for it. */
const createSchema = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const found = sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
  if ((yield* found).length > 0) return
  yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`.pipe(
    Effect.catchTag("SqlError", (error) =>
      // Another process may have made it in between.
      Effect.flatMap(found, (rows) => (rows.length > 0 ? Effect.void : Effect.fail(error)))
    )
  )
})

/** A pooler that leaves the setting out would have every table made in the schema of somebody else. */
const checkSearchPath = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ found: string | null }>`SELECT current_schema() AS found`
  if (row?.found !== schema) {
    return yield* new StorageUnavailable({
      where: "Postgres",
      cause: new Error(
        `its connections begin in the schema ${row?.found ?? "(none)"} instead of ${schema}: a pooler leaves out search_path. ` +
          `Run ALTER ROLE my_role SET search_path TO "${schema}" for the role in its url`
      )
    })
  }
})
