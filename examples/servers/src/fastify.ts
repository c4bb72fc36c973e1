/** Signalbox in a Fastify application, under /ai. */
import { signalbox } from "@signalbox/fastify"
import { Signalbox } from "@signalbox/node"
import fastify from "fastify"
import { printUsage } from "./host/printUsage.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const instance = await Signalbox.make(options)

// The instance drains for up to 10 seconds, so Fastify's hooks need more than their default of 10.
const app = fastify({ pluginTimeout: 30_000 })
app.register(signalbox(instance), { prefix: "/ai" })
app.addHook("preClose", () => instance.close())
app.get("/", () => "This page is the host's own.")

await app.listen({ port, host }).catch(explainListenError("node examples/servers/src/fastify.ts"))
printUsage("Fastify", app.server.address(), "/ai")

stopOnSignal(() => app.close(), instance)
