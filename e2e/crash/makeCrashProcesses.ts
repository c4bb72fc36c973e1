/** Starts processes for the crash tests to kill. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bundleProgram } from "../../vitest.programs.ts"

/** Runs a program that ends with `serveUntilCrash`. */
export const makeCrashProcesses = (program: string, config: object) => {
  const children = new Set<ChildProcess>()
  return {
    start: async (name: string) => {
      const bundle = await bundleProgram(join(import.meta.dirname, program))
      const child = fork(bundle, [name, JSON.stringify(config)], {
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
      children.add(child)
      const exited = once(child, "exit").finally(() => children.delete(child))
      const [port] = await Promise.race([
        once(child, "message"),
        exited.then(() => Promise.reject(new Error(`${name} did not begin`)))
      ])
      return {
        root: `http://127.0.0.1:${port}/api/v1`,
        /** The exit code and signal. */
        exited,
        dieAt: async (phase: string): Promise<void> => {
          child.send(phase)
          await once(child, "message")
        },
        kill: async (): Promise<void> => {
          child.kill("SIGKILL")
          await exited
        }
      }
    },
    killAll: (): void => {
      for (const child of children) child.kill("SIGKILL")
    }
  }
}
