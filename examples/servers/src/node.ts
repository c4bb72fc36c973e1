/** Signalbox in a plain `node:http` server, under /ai. */
import { createServer } from "node:http"
import { Signalbox, signalbox } from "@signalbox/node"
import { printUsage } from "./host/printUsage.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })

const server = createServer((request, response) => {
  ai(request, response, () => response.end("This page is the host's own."))
})
server.once("error", explainListenError("node examples/servers/src/node.ts"))
server.listen(port, host, () => printUsage("Node", server.address(), "/ai"))

stopOnSignal(async () => {
  server.close()
  await instance.close()
}, instance)
