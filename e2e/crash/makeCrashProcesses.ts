/** Starts processes for the crash tests to kill. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bundleProgram } from "../../vitest.programs.ts"

/** Runs a program that ends with `serveUntilCrash`. */
export const makeCrashProcesses = (
  program: string,
  config: object,
  folder: string = import.meta.dirname
) => {
  const children = new Set<ChildProcess>()
  return {
    /** `own` is added to the configuration of this process. */
    start: async (name: string, own: object = {}) => {
      const bundle = await bundleProgram(join(folder, program))
      const child = fork(bundle, [name, JSON.stringify({ ...config, ...own })], {
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
      children.add(child)
      const exited = once(child, "exit").finally(() => children.delete(child))
      const [port] = await Promise.race([
        once(child, "message"),
        exited.then(() => Promise.reject(new Error(`${name} did not begin`)))
      ])
      return {
        origin: `http://127.0.0.1:${port}`,
        root: `http://127.0.0.1:${port}/api/v1`,
        /** The exit code and signal. */
        exited,
        dieAt: async (phase: string): Promise<void> => {
          child.send(phase)
          await once(child, "message")
        },
        /** Stops the process: the system still accepts connections, and nothing answers. */
        freeze: (): void => void child.kill("SIGSTOP"),
        thaw: (): void => void child.kill("SIGCONT"),
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
