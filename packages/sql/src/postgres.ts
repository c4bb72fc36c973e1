/** Storage in Postgres, shared by any number of processes. */
import { checkOptionTypes, type OptionTypes, type Stores } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { layerPostgresChangeFeed } from "./changeFeed/postgresChangeFeed.ts"
import { layerPostgresClient, type PostgresClientOptions } from "./connection/postgresClient.ts"
import {
  layerUnavailable,
  type SchemaTooNew,
  type StorageUnavailable
} from "./errors/StorageErrors.ts"
import { layerPostgresProcessReports } from "./stores/postgresProcessReports.ts"
import { layerStorage, type StorageOptions, storageOptionTypes } from "./storage.ts"

/** Options of `postgres`. Only `url` is required. */
export interface PostgresOptions extends PostgresClientOptions, StorageOptions {}

const optionTypes: OptionTypes<PostgresOptions> = {
  url: ["string", "object"],
  ssl: ["boolean", "object"],
  schema: ["string"],
  maxConnections: ["number"],
  prepare: ["boolean"],
  ...storageOptionTypes
}

/**
 * Every store in one Postgres schema, and the `SqlClient` they use. Opening it creates the schema and runs
 * missing migrations.
 *
 * Throws a `RangeError` for an unknown option or one of the wrong type. Building the layer fails with
 * `SchemaTooNew` when a later version has migrated the database, and with `StorageUnavailable` when the
 * database cannot be used.
 *
 * ```ts
 * const stores = postgres({ url: process.env.DATABASE_URL })
 * const signalbox = await Signalbox.make({ stores, upstreams, models })
 * ```
 */
export const postgres = (
  options: PostgresOptions
): Layer.Layer<Stores | SqlClient.SqlClient, SchemaTooNew | StorageUnavailable> => {
  checkOptionTypes("postgres", options, optionTypes)
  const { url = "" } = options
  const address = typeof url === "string" ? url : Redacted.value(url)
  const problem = findUrlProblem(address)
  // The url is not repeated, since it may hold a password.
  if (problem !== undefined) return layerUnavailable("Postgres")(new Error(problem))
  return layerStorage(options, {
    layerChangeFeed: layerPostgresChangeFeed,
    sessions: options.maxConnections ?? defaultConnections
  }).pipe(
    Layer.provideMerge(layerPostgresProcessReports),
    Layer.provideMerge(layerPostgresClient({ ...options, url })),
    Layer.catchTag(
      ["SqlError", "MigrationError"],
      layerUnavailable(`Postgres at ${formatServer(address)}`)
    )
  )
}

/** The driver's own default. */
const defaultConnections = 10

const findUrlProblem = (url: string): string | undefined => {
  if (url === "") return "it has no url; is the variable that holds it set?"
  return URL.canParse(url) && isPostgresUrl(new URL(url))
    ? undefined
    : "its url is invalid: write postgres://user:password@host:5432/database, with special characters of the password percent-encoded"
}

/** An `@` after the host is the sign of a `/`, `?` or `#` in a password that is not percent-encoded. */
const isPostgresUrl = ({
  hash,
  pathname,
  protocol,
  search,
  searchParams,
  username
}: URL): boolean =>
  /^postgres(?:ql)?:$/.test(protocol) &&
  (username !== "" || searchParams.has("user") || !`${pathname}${search}${hash}`.includes("@"))

/** The host and the database of a url, without credentials. */
const formatServer = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
