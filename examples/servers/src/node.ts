/** Signalbox in a plain `node:http` server, under /ai. */
import { createServer } from "node:http"
import { Signalbox, signalbox } from "@signalbox/node"
import { announce } from "./host/announce.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const box = await Signalbox.make(options)
const ai = signalbox(box, { mount: "/ai" })

const server = createServer((request, response) => {
  ai(request, response, () => response.end("This page is the host's own."))
})
server.once("error", explainListenError("node examples/servers/src/node.ts"))
server.listen(port, host, () => announce("Node", server.address(), "/ai"))

stopOnSignal(async () => {
  server.close()
  await box.close()
}, box)
