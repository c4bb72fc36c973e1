/** The compiler knows the host's own request, and mounts an instance only where requests are of its kind. */
import type { IncomingMessage } from "node:http"
import { consoleRoutes } from "@signalbox/console"
import type { AuthenticationRequest, CallerConfig } from "@signalbox/core"
import * as onExpress from "@signalbox/express"
import * as onFastify from "@signalbox/fastify"
import * as onNode from "@signalbox/node"
import * as onWeb from "@signalbox/web"
import type { Request as ExpressRequest } from "express"
import type { FastifyRequest } from "fastify"
import type { Context } from "hono"
import { expectTypeOf, test } from "vitest"

const options = { upstreams: [], models: [] }

/** A function for requests of one kind. */
const authenticate =
  <Source>() =>
  (_request: AuthenticationRequest<Source>): CallerConfig | undefined =>
    undefined

/** Compiled, and never called. */
export const makeInstances = async () => ({
  plain: await onNode.Signalbox.make(options),
  node: await onNode.Signalbox.make({
    ...options,
    authenticate: authenticate<IncomingMessage>()
  }),
  express: await onExpress.Signalbox.make({
    ...options,
    authenticate: ({ source }) => {
      expectTypeOf(source).toEqualTypeOf<ExpressRequest>()
      return { user: source.ip ?? "nobody" }
    }
  }),
  fastify: await onFastify.Signalbox.make({
    ...options,
    authenticate: ({ source }) => {
      expectTypeOf(source).toEqualTypeOf<FastifyRequest>()
      return { user: source.ip }
    }
  }),
  web: await onWeb.Signalbox.make({
    ...options,
    authenticate: ({ source }) => {
      expectTypeOf(source).toEqualTypeOf<Request>()
      return { user: source.url }
    }
  }),
  hono: await onNode.Signalbox.make({ ...options, authenticate: authenticate<Context>() })
})

const toRequest = (context: Context) => context.req.raw

type Instances = Awaited<ReturnType<typeof makeInstances>>

/** Compiled, and never called. */
export const mountInstances = ({ express, fastify, hono, node, plain, web }: Instances) => {
  onNode.signalbox(plain)
  onNode.signalbox(node)
  // @ts-expect-error: its source is Fastify's request
  onNode.signalbox(fastify)
  // @ts-expect-error: its source is Express's request
  onNode.signalbox(express)

  onExpress.signalbox(plain)
  onExpress.signalbox(express)
  onExpress.signalbox(node)
  // @ts-expect-error: its source is Fastify's request
  onExpress.signalbox(fastify)
  // @ts-expect-error: its source is a web-standard request
  onExpress.signalbox(web)

  onFastify.signalbox(plain)
  onFastify.signalbox(fastify)
  // @ts-expect-error: its source is Node's request
  onFastify.signalbox(node)

  expectTypeOf(onWeb.signalbox(plain)).toEqualTypeOf<onWeb.Handler>()
  expectTypeOf(onWeb.signalbox(web)).toEqualTypeOf<onWeb.Handler>()
  expectTypeOf(onWeb.signalbox(plain, { toRequest })).toEqualTypeOf<onWeb.Handler<Context>>()
  expectTypeOf(onWeb.signalbox(hono, { toRequest })).toEqualTypeOf<onWeb.Handler<Context>>()
  // @ts-expect-error: its source is Hono's context
  onWeb.signalbox(hono)
  // @ts-expect-error: its source is Node's request
  onWeb.signalbox(node, { toRequest })

  void plain.fetch(new Request("https://any.example"))
  void web.fetch(new Request("https://any.example"))
  // @ts-expect-error: its source is Express's request
  void express.fetch(new Request("https://any.example"))

  onExpress.signalbox(
    consoleRoutes(express, {
      authorize: ({ source }) => {
        expectTypeOf(source).toEqualTypeOf<ExpressRequest>()
        return null
      }
    })
  )
  onFastify.signalbox(
    consoleRoutes(plain, {
      authorize: ({ source }) => {
        expectTypeOf(source).toEqualTypeOf<FastifyRequest>()
        return null
      }
    })
  )
}

test("an instance without a source is one of any host", () => {
  expectTypeOf<onNode.Signalbox>().toExtend<onExpress.Signalbox>()
  expectTypeOf<onNode.Signalbox>().toExtend<onFastify.Signalbox>()
  expectTypeOf<onExpress.Signalbox>().not.toExtend<onNode.Signalbox>()
  expectTypeOf<onExpress.Signalbox>().not.toExtend<onFastify.Signalbox>()
})
