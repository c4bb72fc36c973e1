/** Serves an instance, prints its port, and dies at the named crash point or when it is killed. */
import { once } from "node:events"
import { createServer } from "node:http"
import { flushCompileCache } from "node:module"
import type { Signalbox as Instance } from "@signalbox/core"
import { signalbox } from "@signalbox/node"
import type { CrashTrigger } from "./CrashTrigger.ts"
import type { CrashPoint } from "./CrashPoint.ts"

export const serveUntilCrash = async <Verb extends string>(
  instance: Instance,
  doom: CrashTrigger<Verb>,
  moments: ReadonlyArray<CrashPoint<Verb>>
): Promise<void> => {
  process.on("message", (requested) => {
    const phase = moments.find((each) => each.name === requested)
    if (phase === undefined) throw new Error("there is no such moment")
    doom.arm(phase)
    process.send?.("ready")
  })
  const server = createServer(signalbox(instance)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it has no port")
  // A killed process writes nothing at its end.
  flushCompileCache()
  process.send?.(address.port)
}
