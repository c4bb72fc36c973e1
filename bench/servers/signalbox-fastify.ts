/** Signalbox in Fastify 5. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { makeInstance } from "./makeInstance.ts"
import { reportToParent } from "./reportToParent.ts"

const app = fastify()
await app.register(signalbox(await makeInstance()))
await app.listen({ port: 0, host: "127.0.0.1" })
reportToParent(app.server.address())
