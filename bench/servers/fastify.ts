/** Signalbox in Fastify 5. */
import { signalbox } from "@signalbox/fastify"
import fastify from "fastify"
import { makeBox } from "./box.ts"
import { report } from "./report.ts"

const app = fastify()
await app.register(signalbox(await makeBox()))
await app.listen({ port: 0, host: "127.0.0.1" })
report(app.server.address())
