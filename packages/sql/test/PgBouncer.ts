/** Starts a PgBouncer in transaction mode, in front of a new role and schema on the test server. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layerPostgresClient } from "../src/connection/postgresClient.ts"
import { findFreePort } from "./findFreePort.ts"

/** Whether `pgbouncer` is installed. */
export const isPgBouncerInstalled = (() => {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

export interface RunningPgBouncer extends AsyncDisposable {
  readonly url: string
  readonly schema: string
}

export interface PgBouncerOptions {
  /** `ignore_startup_parameters` of PgBouncer. */
  readonly ignoredParameters: string
  /** Whether the role has its schema as the default `search_path`. */
  readonly hasSearchPath: boolean
}

export const startPgBouncer = async (
  postgresUrl: string,
  { hasSearchPath, ignoredParameters }: PgBouncerOptions
): Promise<RunningPgBouncer> => {
  const id = crypto.randomUUID().replaceAll("-", "")
  const [role, schema] = [`role_${id}`, `schema_${id}`]
  await runAsOwner(postgresUrl, [
    `CREATE ROLE ${role} LOGIN PASSWORD 'password'`,
    `CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
    ...(hasSearchPath ? [`ALTER ROLE ${role} SET search_path TO ${schema}`] : [])
  ])
  const { hostname, pathname, port } = new URL(postgresUrl)
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pgbouncer-"))
  const configuration = join(folder, "pgbouncer.ini")
  const listen = await findFreePort()
  writeFileSync(
    configuration,
    [
      "[databases]",
      `pooled = host=${hostname} port=${port || "5432"} dbname=${pathname.slice(1)} user=${role} password=password`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${listen}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
      "default_pool_size = 5",
      `ignore_startup_parameters = ${ignoredParameters}`
    ].join("\n")
  )
  // PgBouncer refuses to run as root.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const server = spawn("pgbouncer", [...user, configuration], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  const exit = once(server, "exit")
  const output: Array<string> = []
  for await (const line of createInterface(server.stderr)) {
    output.push(line)
    if (line.includes("process up")) break
  }
  if (server.exitCode !== null) throw new Error(`cannot start PgBouncer\n${output.join("\n")}`)
  server.stderr.resume()
  return {
    url: `postgres://${role}:password@127.0.0.1:${listen}/pooled`,
    schema,
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGKILL")
      await exit
    }
  }
}

const runAsOwner = (url: string, statements: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(Effect.provide(layerPostgresClient({ url, schema: "public" })), Effect.runPromise)
