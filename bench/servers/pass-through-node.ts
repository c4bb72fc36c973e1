/** The pass-through on node:http. */
import { createServer } from "node:http"
import { passThroughListener } from "../passThrough/passThroughListener.ts"
import { reportToParent } from "./reportToParent.ts"

const server = createServer(passThroughListener(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
