/** Mounts Signalbox in Fastify 4 and 5. */
import type { ServerResponse } from "node:http"
import { App, type Mountable } from "@signalbox/core/adapter"
import { getRequestPath, makeRequestServer } from "@signalbox/node"
import * as Context from "effect/Context"
import { escapeMalformedPaths, getOriginalTarget } from "./escapeMalformedPaths.ts"
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify"

export { type Options, Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "@signalbox/node"

/**
 * A plugin with the routes of Signalbox. Its content type parsers are in its own scope, so yours stay. Your hooks run
 * before it, and the headers that they set are part of its responses.
 *
 * ```ts
 * app.register(signalbox(instance), { prefix: "/ai" })
 * ```
 */
export const signalbox = (mountable: Mountable<FastifyRequest>): FastifyPluginCallback => {
  const { tryServe } = makeRequestServer(mountable)
  const { match, routes } = Context.get(mountable.context, App)
  return (fastify, _options, done) => {
    if (typeof Object(fastify).addContentTypeParser !== "function") {
      throw new TypeError(
        'signalbox(instance) of @signalbox/fastify is a plugin, and neither a handler nor middleware: app.register(signalbox(instance), { prefix: "/ai" })'
      )
    }
    // A prefix may have parameters, so its segments are counted, not compared.
    const depth = fastify.prefix.match(/[^/]+/g)?.length ?? 0
    const prefix = new RegExp(`^(?:/[^/?]+){${depth}}`)
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const target = getRequestPath({
        url: getOriginalTarget(request.raw) ?? request.raw.url ?? "/"
      })
      const [mount = ""] = prefix.exec(target) ?? []
      const path = target.slice(mount.length)
      if (!match(request.method, path)) return reply.callNotFound()
      const body = request.body === undefined ? undefined : { value: request.body }
      // An injected request arrives whole, but lacks the flag for that.
      if (!("complete" in request.raw)) Object.assign(request.raw, { complete: true })
      tryServe(request.raw, takeOverReply(reply), { mount, path, body, source: request })
    }
    fastify.removeAllContentTypeParsers()
    // The body stays unread until Signalbox needs it. A hook may replace it with a stream.
    fastify.addContentTypeParser("*", (request, payload, parsed) => {
      if (payload === request.raw) return parsed(null)
      // Without a listener, an error before the first read would end the process.
      payload.on("error", () => {})
      parsed(null, payload)
    })
    fastify.setErrorHandler<FastifyError>((error, request, reply) => {
      if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error
      // The operation decides what to do about an invalid content type.
      handler(request, reply)
    })
    for (const { method, path } of routes) {
      const urls = path.endsWith("/*") ? [path, path.slice(0, -"/*".length)] : [path]
      for (const url of urls) {
        fastify.route({ method, url, handler, exposeHeadRoute: method === "GET" })
      }
    }
    escapeMalformedPaths(fastify.server, fastify.prefix)
    done()
  }
}

const takeOverReply = (reply: FastifyReply): ServerResponse => {
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
  return reply.hijack().raw
}
