/** Signalbox in node:http, with connections to its provider for many open streams, which may stay without events. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const instance = await makeInstance({
  settings: { maxUpstreamConnections: 20_000, streamIdleTimeoutMillis: 1_800_000 }
})
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
