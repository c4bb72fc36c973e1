/** Signalbox in plain node:http. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeBox } from "./box.ts"
import { report } from "./report.ts"

const server = createServer(signalbox(await makeBox()))
server.listen(0, "127.0.0.1", () => report(server.address()))
