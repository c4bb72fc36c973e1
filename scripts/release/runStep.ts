/** Runs a command with its own output on this terminal, and ends it with all that it started when the signal aborts. */
import { spawn } from "node:child_process"

export const runStep = async (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  signal?: AbortSignal
): Promise<void> => {
  signal?.throwIfAborted()
  // A group of its own, because pnpm and npx leave what they start running.
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    detached: true
  })
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM")
    } catch {
      // It has just ended by itself.
    }
  }
  signal?.addEventListener("abort", stop)
  try {
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject)
      child.once("close", resolve)
    })
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed with ${String(code)}`)
  } finally {
    signal?.removeEventListener("abort", stop)
  }
}
