/** Signalbox in Fastify 5, with a catalog to list. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { makeCatalogBox } from "./catalog-box.ts"
import { report } from "./report.ts"

const app = fastify()
await app.register(signalbox(await makeCatalogBox()))
await app.listen({ port: 0, host: "127.0.0.1" })
report(app.server.address())
