/** Signalbox in an Express application, at the root. `npm start` runs this file. */
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import express from "express"
import { announce } from "./host/announce.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const box = await Signalbox.make(options)

const app = express()
app.use(signalbox(box))
app.get("/", (_request, response) => {
  response.send("This page is the host's own.")
})

const server = app.listen(port, host)
server.once("listening", () => announce("Express", server.address()))
server.once("error", explainListenError("npm start"))

stopOnSignal(async () => {
  server.close()
  await box.close()
}, box)
