/** Hono on `@hono/node-server`. */
import type * as NodeServer from "@hono/node-server"
import type { Context } from "hono"
import type * as HonoModule from "hono"
import type * as HonoCompress from "hono/compress"
import { listen } from "@signalbox/testing/contracts"
import { signalbox } from "@signalbox/web"
import { createServer } from "node:http"
import { getInstalled, type Host, requireFrom } from "./Host.ts"

interface Env {
  readonly Variables: { user: string | undefined }
}

export const makeHono = (folder: string): Host => {
  // The types of the current version: what the tests use is the same in all.
  const { createAdaptorServer } = requireFrom(folder)("@hono/node-server") as typeof NodeServer
  const { Hono } = requireFrom(folder)("hono") as typeof HonoModule
  const { compress: makeCompression } = requireFrom(folder)("hono/compress") as typeof HonoCompress
  const installed = getInstalled(folder, "hono", 4)
  return {
    name: `Hono ${installed.version} on Node`,
    makeHarness: ({ compress, instance, mounts }) => {
      const ai = signalbox(instance, {
        mount: mounts.join(""),
        toRequest: (context: Context) => context.req.raw
      })
      const routes = new Hono<Env>()
      if (compress === true) routes.use(makeCompression({ threshold: 0 }))
      routes.use(async (context, next) => {
        await next()
        context.header("x-host", "here")
      })
      routes.use((context, next) => {
        context.set("user", context.req.header("x-user"))
        return ai.match(context) ? ai(context) : next()
      })
      routes.post("/own", ({ req }) => new Response(req.raw.body))
      const app = mounts.reduceRight((inner, path) => new Hono<Env>().route(path, inner), routes)
      return listen(
        createAdaptorServer({ fetch: app.fetch, createServer }) as ReturnType<typeof createServer>
      )
    },
    traits: {
      installed,
      compression: true,
      rejectsInvalidHosts: true,
      findUser: (source) => Object(source).get("user")
    }
  }
}
