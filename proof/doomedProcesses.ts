/** Starts processes that are going to be killed. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Dozens of processes are started here, and compile the same once. */
const compiled = mkdtempSync(join(tmpdir(), "signalbox-compiled-"))

/** Of one program, which ends with `serveUntilDoom`. */
export const doomedProcesses = (program: string, meeting: object) => {
  const children = new Set<ChildProcess>()
  return {
    start: async (name: string) => {
      const child = fork(join(import.meta.dirname, program), [name, JSON.stringify(meeting)], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        env: { ...process.env, NODE_COMPILE_CACHE: compiled }
      })
      children.add(child)
      const exited = once(child, "exit").finally(() => children.delete(child))
      const [port] = await Promise.race([
        once(child, "message"),
        exited.then(() => Promise.reject(new Error(`${name} did not begin`)))
      ])
      return {
        root: `http://127.0.0.1:${port}/api/v1`,
        /** The code and the signal it ended with. */
        exited,
        dieAt: async (moment: string): Promise<void> => {
          child.send(moment)
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
