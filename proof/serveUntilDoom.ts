/** Serves a box, says at which port, dies at the moment it is told by name, and else lives until it is killed. */
import { once } from "node:events"
import { createServer } from "node:http"
import { flushCompileCache } from "node:module"
import type { Signalbox as Box } from "@signalbox/core"
import { signalbox } from "@signalbox/node"
import type { Doom } from "./Doom.ts"
import type { Moment } from "./Moment.ts"

export const serveUntilDoom = async <Verb extends string>(
  box: Box,
  doom: Doom<Verb>,
  moments: ReadonlyArray<Moment<Verb>>
): Promise<void> => {
  process.on("message", (wanted) => {
    const moment = moments.find((each) => each.name === wanted)
    if (moment === undefined) throw new Error("there is no such moment")
    doom.at(moment)
    process.send?.("ready")
  })
  const server = createServer(signalbox(box)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it has no port")
  // Whoever is killed writes nothing at its end.
  flushCompileCache()
  process.send?.(address.port)
}
