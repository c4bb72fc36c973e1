/** Signalbox in an Express application, under /ai. */
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import express from "express"
import { hostname, options, port } from "../router.ts"

const instance = await Signalbox.make(options)

const app = express()
app.use("/ai", signalbox(instance)) // before express.json()
app.get("/", (_request, response) => {
  response.send("This page is the host's own.")
})

const server = app.listen(port, hostname)
process.once("SIGTERM", () => {
  server.close()
  void instance.close()
})
