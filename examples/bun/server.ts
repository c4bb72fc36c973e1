/** Signalbox on Bun, under /ai. */
import { Signalbox, signalbox } from "@signalbox/web"
import { hostname, options, port } from "../router.ts"

/** The part of Bun's API that this example uses; an application has `@types/bun`. */
declare const Bun: {
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly idleTimeout: number
    readonly fetch: (request: Request) => Response | Promise<Response>
  }) => { readonly stop: () => Promise<void> }
}

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })
const isRoot = ({ url }: Request) => new URL(url).pathname === "/"

const server = Bun.serve({
  hostname,
  port,
  idleTimeout: 255, // seconds; a model may think for longer than the default of 10
  fetch: (request) =>
    ai.match(request)
      ? ai(request)
      : new Response("This page is the host's own.", { status: isRoot(request) ? 200 : 404 })
})
process.once("SIGTERM", () => void Promise.all([server.stop(), instance.close()]))
