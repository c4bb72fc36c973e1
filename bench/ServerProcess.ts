/** A server of `servers/` in its own process, and the cost of a load on it. */
import { Pool } from "undici"
import { Program } from "./Program.ts"

/** The summed cost of several loads. */
export interface Cost {
  wallMillis: number
  cpuMicros: number
}

export class ServerProcess {
  readonly name: string
  readonly pool: Pool

  readonly #program: Program

  private constructor(name: string, program: Program, pool: Pool) {
    this.name = name
    this.pool = pool
    this.#program = program
  }

  static async start(
    name: string,
    connections: number,
    env: Readonly<Record<string, string>>
  ): Promise<ServerProcess> {
    const program = await Program.start<{ readonly port: number }>(`servers/${name}.ts`, { env })
    const pool = new Pool(`http://127.0.0.1:${program.hello.port}`, { connections })
    return new ServerProcess(name, program, pool)
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
    await this.#program.stop()
  }

  async #cpu(): Promise<number> {
    return (await this.#program.ask<{ readonly cpuMicros: number }>("cpu")).cpuMicros
  }
}
