/** Signalbox in node:http. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const server = createServer(signalbox(await makeInstance()))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
