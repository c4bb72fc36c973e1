/** Signalbox in Fastify 5, with a large catalog. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { makeCatalogInstance } from "./makeCatalogInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const app = fastify()
await app.register(signalbox(await makeCatalogInstance()))
await app.listen({ port: 0, host: "127.0.0.1" })
reportToParent(app.server.address())
