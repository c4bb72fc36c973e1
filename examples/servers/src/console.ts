/** Express with the operations console behind a login, and traffic to look at. `npm start` runs this file. */
import { consoleRoutes } from "@signalbox/console"
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import express from "express"
import { openAccount } from "./demo/traffic/openAccount.ts"
import { startTraffic } from "./demo/traffic/startTraffic.ts"
import { withTrafficModels } from "./demo/traffic/trafficModels.ts"
import { describeConsole } from "./host/describeConsole.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { authorize, login } from "./host/login.ts"
import { printUsage } from "./host/printUsage.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const hasTraffic = process.env["DEMO_TRAFFIC"] !== "0"
const instance = await Signalbox.make(hasTraffic ? withTrafficModels(options) : options)

const app = express()
app.use(signalbox(instance))
app.use("/console", signalbox(consoleRoutes(instance, { authorize, allowActions: true })))
app.use("/login", login)
app.get("/", (_request, response) => {
  response.send("This page is the host's own.")
})

const stopTraffic = hasTraffic ? startTraffic(instance, await openAccount(instance)) : undefined
const server = app.listen(port, host)
server.once("listening", () =>
  printUsage("Express", server.address(), "", (root) => describeConsole(root, hasTraffic))
)
server.once("error", explainListenError("npm start"))

stopOnSignal(async () => {
  stopTraffic?.()
  server.close()
  await instance.close()
}, instance)
