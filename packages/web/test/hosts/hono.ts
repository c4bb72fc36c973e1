/** Hono on `@hono/node-server`. */
import { createAdaptorServer } from "@hono/node-server"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { Hono } from "hono"
import { createServer } from "node:http"
import { getInstalled, type Host } from "./Host.ts"

export const hono: Host = {
  name: "Hono 4 on Node",
  makeHarness: ({ instance, mounts }) => {
    const ai = signalbox(instance, { mount: mounts.join("") })
    const routes = new Hono()
    routes.use(async (context, next) => {
      await next()
      context.header("x-host", "here")
    })
    routes.use(({ req }, next) => (ai.match(req.raw) ? ai(req.raw) : next()))
    routes.post("/own", ({ req }) => new Response(req.raw.body))
    const app = mounts.reduceRight((inner, path) => new Hono().route(path, inner), routes)
    return listen(
      createAdaptorServer({ fetch: app.fetch, createServer }) as ReturnType<typeof createServer>
    )
  },
  traits: { installed: getInstalled("hono", 4), rejectsInvalidHosts: true }
}
