/** Signalbox in a Hono application on Node, under /ai. */
import { serve } from "@hono/node-server"
import { Signalbox } from "@signalbox/node"
import { signalbox } from "@signalbox/web"
import { Hono } from "hono"
import { hostname, options, port } from "../router.ts"

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })

const app = new Hono()
app.use("/ai/*", ({ req }, next) => (ai.match(req.raw) ? ai(req.raw) : next()))
app.get("/", (context) => context.text("This page is the host's own."))

const server = serve({ fetch: app.fetch, hostname, port })
process.once("SIGTERM", () => {
  server.close()
  void instance.close()
})
