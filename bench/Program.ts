/** A program in a process of its own, which answers each message with one. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"

/** Two programs that do not share a core measure the same in every round. */
export const canPin =
  process.platform === "linux" &&
  availableParallelism() > 1 &&
  spawnSync("taskset", ["--version"]).status === 0

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Runs on this core alone, where `taskset` exists. */
  readonly core?: number
  /** Command line flags of Node. */
  readonly flags?: ReadonlyArray<string>
  readonly args?: ReadonlyArray<string>
}

export class Program<Hello = unknown> {
  /** The first message. */
  readonly hello: Hello
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, hello: Hello) {
    this.#child = child
    this.hello = hello
  }

  /** `file` is relative to this folder. Resolves with the first message of the program. */
  static async start<Hello>(
    file: string,
    { args = [], core, env, flags = [] }: ProgramOptions = {}
  ): Promise<Program<Hello>> {
    const node = [process.execPath, ...flags, resolve(import.meta.dirname, file), ...args]
    const pinned = core !== undefined && canPin ? ["taskset", "-c", String(core), ...node] : node
    const [command = "", ...rest] = pinned
    const child = spawn(command, rest, {
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"]
    })
    return new Program(child, await nextMessage<Hello>(child, file))
  }

  /** Sends a message, and resolves with the next one of the program. */
  async ask<Answer>(message: object | string | number): Promise<Answer> {
    const answer = nextMessage<Answer>(this.#child, JSON.stringify(message))
    this.#child.send(message)
    return answer
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit")
    this.#child.kill()
    await ended
  }
}

const nextMessage = <A>(child: ChildProcess, awaiting: string): Promise<A> =>
  new Promise((succeed, reject) => {
    const fail = (code: number | null): void => reject(new Error(`${awaiting}: exit code ${code}`))
    child.once("exit", fail)
    child.once("message", (message) => {
      child.off("exit", fail)
      succeed(message as A)
    })
  })
