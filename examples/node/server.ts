/** Signalbox in a `node:http` server, under /ai. */
import { createServer } from "node:http"
import { Signalbox, signalbox } from "@signalbox/node"
import { hostname, options, port } from "../router.ts"

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })

const server = createServer((request, response) => {
  ai(request, response, () => {
    response.statusCode = request.url === "/" ? 200 : 404
    response.end("This page is the host's own.")
  })
})
server.listen(port, hostname)
process.once("SIGTERM", () => {
  server.close()
  void instance.close()
})
