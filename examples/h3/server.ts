/** Signalbox in an H3 application on Node, under /ai. */
import { Signalbox } from "@signalbox/node"
import { signalbox } from "@signalbox/web"
import { H3, serve } from "h3"
import { hostname, options, port } from "../router.ts"

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })

const app = new H3()
app.use(({ req }, next) => (ai.match(req) ? ai(req) : next()))
app.get("/", () => "This page is the host's own.")

const server = serve(app, { hostname, port, silent: true, gracefulShutdown: false })
process.once("SIGTERM", () => {
  void server.close()
  void instance.close()
})
