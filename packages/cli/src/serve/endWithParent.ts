/** Ends a server that npm or npx has started when they are gone. */
import * as Effect from "effect/Effect"
import { readVariable } from "../readVariable.ts"

/**
 * npm and npx start a shell that does not pass SIGTERM on (https://github.com/npm/cli/issues/6684): the server would
 * outlive both. While the scope is open, it ends as by SIGTERM within a second after its shell.
 */
export const endWithParent = Effect.flatMap(readVariable("npm_command"), (command) =>
  command === undefined
    ? Effect.void
    : Effect.acquireRelease(Effect.sync(watchParent), stopWatching)
)

const watchParent = (): NodeJS.Timeout => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, 1_000)
  return timer.unref()
}

const stopWatching = (timer: NodeJS.Timeout) => Effect.sync(() => clearInterval(timer))
