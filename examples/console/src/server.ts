/** Express with the operations console behind a login, and traffic to look at. `npm start` runs this file. */
import type { AddressInfo } from "node:net"
import { consoleRoutes } from "@signalbox/console"
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import express from "express"
import { receivers } from "./demo/traffic/receivers.ts"
import { startDemo } from "./demo/traffic/startDemo.ts"
import { withTraffic } from "./demo/traffic/withTraffic.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { authorize, login } from "./host/login.ts"
import { printUsage } from "./host/printUsage.ts"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { host, options, port } from "./router.ts"

const hasTraffic = process.env["DEMO_TRAFFIC"] !== "0"
const instance = await Signalbox.make(hasTraffic ? withTraffic(options) : options)

/** A demo lets its operators change everything. */
const allow = [
  "budgets",
  "byok",
  "customers",
  "deliveries",
  "experiments",
  "guardrails",
  "interns",
  "keys",
  "members",
  "playground",
  "traffic",
  "videos",
  "views",
  "webhooks"
] as const

const app = express()
app.use(signalbox(instance))
app.use(
  "/console",
  signalbox(consoleRoutes(instance, { authorize, allow, signOutUrl: "/login/end" }))
)
app.use("/login", login)
app.get("/", (_request, response) => {
  response.send("This page is the host's own.")
})
if (hasTraffic) app.use("/demo/receivers", receivers)

const stopping = new AbortController()
const fillConsole = async (root: string) => {
  try {
    await startDemo(instance, {
      receiversOrigin: options.settings?.allowPrivateNetworks ? root : undefined,
      signal: stopping.signal
    })
  } catch (error) {
    // A server that stops meanwhile serves nothing more.
    if (!stopping.signal.aborted) throw error
  }
}
const server = app.listen(port, host)
server.once("listening", () => {
  const root = `http://${host}:${(server.address() as AddressInfo).port}`
  printUsage(root, hasTraffic)
  if (hasTraffic) void fillConsole(root)
})
server.once("error", explainListenError)

stopOnSignal(async () => {
  stopping.abort()
  server.close()
  await instance.close()
}, instance)
