/** Starts the installed application as a process of its own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

export interface RunningApplication {
  readonly origin: string
  /** Resolves when the process is gone. */
  readonly kill: () => Promise<void>
}

export const startApplication = async (
  directory: string,
  environment: Readonly<Record<string, string>>
): Promise<RunningApplication> => {
  const child = spawn(process.execPath, ["application.ts"], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const kill = (): boolean => child.kill("SIGKILL")
  // It must not outlive tests that are interrupted.
  process.once("exit", kill)
  const exited = once(child, "exit").finally(() => process.off("exit", kill))
  const origin = await Promise.race([
    readOrigin(child.stdout),
    exited.then(([code]) => Promise.reject(new Error(`the application exited with ${code}`)))
  ])
  // What it writes later is not read.
  child.stdout.resume()
  return {
    origin,
    kill: async () => {
      kill()
      await exited
    }
  }
}

const readOrigin = async (output: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface(output)) {
    const origin = /^listening on (.+)$/.exec(line)?.[1]
    if (origin !== undefined) return origin
  }
  throw new Error("the application ended before it listened")
}
