/** SvelteKit: a server route of an application that `vite build` has built for `@sveltejs/adapter-node`. */
import { execFileSync } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { join } from "node:path"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { getInstalled, type Host } from "./Host.ts"
import { registerHandler } from "./registry.ts"

const dir = join(import.meta.dirname, "../sveltekit")
const vite = join(import.meta.dirname, "../../node_modules/vite/bin/vite.js")

/** The server route of the application answers with what is registered under the header `x-harness`. */
const buildHandler = async (): Promise<RequestListener> => {
  execFileSync(process.execPath, [vite, "build"], { cwd: dir, stdio: "pipe" })
  // Read when the handler is loaded; the default would be half a megabyte.
  process.env["BODY_SIZE_LIMIT"] = "Infinity"
  const { handler }: { readonly handler: RequestListener } = await import(
    join(dir, "build/handler.js")
  )
  delete process.env["BODY_SIZE_LIMIT"]
  return handler
}

let built: Promise<RequestListener> | undefined

export const sveltekit: Host = {
  name: "SvelteKit 3, built",
  makeHarness: async ({ instance, mounts }) => {
    const handle = await (built ??= buildHandler())
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
  traits: {
    installed: getInstalled("@sveltejs/kit", 3),
    dropsStalledRequests: true,
    malformedPathStatus: 400,
    rejectsInvalidHosts: true
  }
}
