/** A Redis server for one test that can be killed, frozen and restarted on the same port. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { createInterface } from "node:readline"

/** Whether `redis-server` is installed. */
export const isRedisInstalled = (() => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

export class RedisServer {
  readonly url: string
  readonly #flags: ReadonlyArray<string>
  #process: ChildProcess | undefined

  private constructor(port: number, flags: ReadonlyArray<string>) {
    this.url = `redis://127.0.0.1:${port}`
    this.#flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", ...flags]
  }

  /** Starts a server with additional flags of `redis-server`. */
  static async start(...flags: ReadonlyArray<string>): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags)
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const server = spawn("redis-server", this.#flags, { stdio: ["ignore", "pipe", "inherit"] })
    this.#process = server
    for await (const line of createInterface(server.stdout)) {
      if (line.includes("Ready to accept connections")) break
    }
    server.stdout.resume()
  }

  /** Sends `SIGKILL` and waits for the exit. */
  async kill(): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server === undefined) return
    const ended = once(server, "exit")
    server.kill("SIGKILL")
    await ended
  }

  /** Stops the process: the system still accepts connections, and nothing answers. */
  freeze(): void {
    this.#process?.kill("SIGSTOP")
  }

  thaw(): void {
    this.#process?.kill("SIGCONT")
  }
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, "close")
  return port
}
