/** Signalbox in a Fastify application, under /ai. */
import { signalbox } from "@signalbox/fastify"
import { Signalbox } from "@signalbox/node"
import fastify from "fastify"
import { hostname, options, port } from "../router.ts"

const instance = await Signalbox.make(options)

const app = fastify({ pluginTimeout: 30_000 }) // longer than the instance may take to close
app.register(signalbox(instance), { prefix: "/ai" })
app.addHook("preClose", () => instance.close())
app.get("/", () => "This page is the host's own.")

await app.listen({ port, host: hostname })
process.once("SIGTERM", () => void app.close())
