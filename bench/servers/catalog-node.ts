/** Signalbox in node:http, with a large catalog. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeCatalogInstance } from "./makeCatalogInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const server = createServer(signalbox(await makeCatalogInstance()))
server.listen(0, "127.0.0.1", () => reportToParent(server.address()))
