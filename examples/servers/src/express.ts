/** Signalbox in an Express application, at the root. */
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import express from "express"
import { printUsage } from "./host/printUsage.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const instance = await Signalbox.make(options)

const app = express()
app.use(signalbox(instance))
app.get("/", (_request, response) => {
  response.send("This page is the host's own.")
})

const server = app.listen(port, host)
server.once("listening", () => printUsage("Express", server.address()))
server.once("error", explainListenError("node examples/servers/src/express.ts"))

stopOnSignal(async () => {
  server.close()
  await instance.close()
}, instance)
