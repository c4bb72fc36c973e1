/** Signalbox in node:http, which answers every request that came before from its cache. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const instance = await makeInstance({ responseCache: { enabled: true, ttlSeconds: 86_400 } })
const server = createServer(signalbox(instance))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
