/** Runs a server of `servers/` in its own process, and measures the cost of a load on it. */
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { Pool } from "undici"

/** The summed cost of several loads. */
export interface Cost {
  wallMillis: number
  cpuMicros: number
}

export class ServerProcess {
  readonly name: string
  readonly pool: Pool

  readonly #child: ChildProcess

  private constructor(name: string, child: ChildProcess, pool: Pool) {
    this.name = name
    this.pool = pool
    this.#child = child
  }

  static async start(
    name: string,
    connections: number,
    env: Readonly<Record<string, string>>
  ): Promise<ServerProcess> {
    const child = fork(join(import.meta.dirname, "servers", `${name}.ts`), {
      env: { ...process.env, ...env, NODE_ENV: "production" }
    })
    const { port } = await nextMessage<{ readonly port: number }>(child)
    return new ServerProcess(name, child, new Pool(`http://127.0.0.1:${port}`, { connections }))
  }

  /** Adds the cost of `load` to `cost`. */
  async measure(cost: Cost, load: () => Promise<unknown>): Promise<void> {
    const cpu = await this.#cpu()
    const started = performance.now()
    await load()
    cost.wallMillis += performance.now() - started
    cost.cpuMicros += (await this.#cpu()) - cpu
  }

  async stop(): Promise<void> {
    await this.pool.close()
    this.#child.kill()
  }

  async #cpu(): Promise<number> {
    const answer = nextMessage<{ readonly cpuMicros: number }>(this.#child)
    this.#child.send("cpu")
    return (await answer).cpuMicros
  }
}

const nextMessage = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))
