/** Nitro: a route of an application that `nitro build` has built for its preset `node-server`. */
import { execFileSync } from "node:child_process"
import diagnostics from "node:diagnostics_channel"
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { join } from "node:path"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { getInstalled, type Host } from "./Host.ts"
import { registerHandler } from "./registry.ts"

const dir = join(import.meta.dirname, "../nitro")
const cli = join(import.meta.dirname, "../../node_modules/nitro/dist/cli/index.mjs")

/** The server that the loaded program starts. */
const loadServer = async (program: string): Promise<Server> => {
  const started = Promise.withResolvers<Server>()
  const report = (message: unknown) => started.resolve(Object(message).server)
  diagnostics.subscribe("tracing:net.server.listen:asyncStart", report)
  process.env["NITRO_PORT"] = "0"
  try {
    await import(program)
    return await started.promise
  } finally {
    delete process.env["NITRO_PORT"]
    diagnostics.unsubscribe("tracing:net.server.listen:asyncStart", report)
  }
}

/**
 * The route of the application answers with what is registered under the header `x-harness`. Each harness has a server of
 * its own for the listener, because the one of the program is only started once.
 */
const buildListener = async (): Promise<RequestListener> => {
  execFileSync(process.execPath, [cli, "build"], { cwd: dir, stdio: "pipe" })
  const server = await loadServer(join(dir, ".output/server/index.mjs"))
  if (!server.listening) await once(server, "listening")
  server.close()
  const [listener] = server.listeners("request")
  return listener as RequestListener
}

let built: Promise<RequestListener> | undefined

export const nitro: Host = {
  name: "Nitro 3, built",
  makeHarness: async ({ instance, mounts }) => {
    const handle = await (built ??= buildListener())
    const mount = mounts.join("")
    const ai = signalbox(instance, { mount })
    const name = registerHandler(async (request) => {
      if (ai.match(request)) return ai(request)
      const isOwn = new URL(request.url).pathname === `${mount}/own`
      return isOwn ? new Response(request.body) : new Response(null, { status: 404 })
    })
    return listen(
      createServer((request, response) => {
        request.headers["x-harness"] = name
        response.setHeader("x-host", "here")
        handle(request, response)
      })
    )
  },
  traits: { installed: getInstalled("nitro", 3), malformedPathStatus: 400 }
}
