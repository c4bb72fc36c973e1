/** Signalbox on Deno, under /ai. */
import { Signalbox, signalbox } from "@signalbox/web"
import { hostname, options, port } from "../router.ts"

/** The part of Deno's API that this example uses; Deno has the types itself. */
declare const Deno: {
  readonly serve: (
    options: { readonly hostname: string; readonly port: number },
    handler: (request: Request) => Response | Promise<Response>
  ) => { readonly shutdown: () => Promise<void> }
}

const instance = await Signalbox.make(options)
const ai = signalbox(instance, { mount: "/ai" })
const isRoot = ({ url }: Request) => new URL(url).pathname === "/"

const server = Deno.serve({ hostname, port }, (request) =>
  ai.match(request)
    ? ai(request)
    : new Response("This page is the host's own.", { status: isRoot(request) ? 200 : 404 })
)
process.once("SIGTERM", () => void Promise.all([server.shutdown(), instance.close()]))
