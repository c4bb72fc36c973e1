/** Harnesses of one built application, whose only route answers with the handler of the harness. */
import { createServer, type RequestListener } from "node:http"
import { listen, type MakeHarness } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { registerHandler } from "./registry.ts"

/** `build` makes the listener of the application, once. Its route finds the handler by the header `x-harness`. */
export const makeBuiltHarness = (build: () => Promise<RequestListener>): MakeHarness => {
  let built: Promise<RequestListener> | undefined
  return async ({ instance, mounts }) => {
    const handle = await (built ??= loadRoute(build()))
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
  }
}

/**
 * A framework loads its route with the first request. On a busy machine that stops the process for longer than an instance
 * waits for a provider.
 */
const loadRoute = async (building: Promise<RequestListener>): Promise<RequestListener> => {
  const handle = await building
  const name = registerHandler(async () => new Response())
  const host = await listen(
    createServer((request, response) => {
      request.headers["x-harness"] = name
      handle(request, response)
    })
  )
  await (await fetch(host.origin)).text()
  await host.close()
  return handle
}
