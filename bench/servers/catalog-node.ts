/** Signalbox in plain node:http, with a catalog to list. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/node"
import { makeCatalogBox } from "./catalog-box.ts"
import { report } from "./report.ts"

const server = createServer(signalbox(await makeCatalogBox()))
server.listen(0, "127.0.0.1", () => report(server.address()))
