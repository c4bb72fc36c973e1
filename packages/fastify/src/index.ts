/** Mounts Signalbox in Fastify 5. */
import type { ServerResponse } from "node:http"
import { routedPaths, type Signalbox } from "@signalbox/core/adapter"
import { getRequestPath, makeRequestServer } from "@signalbox/node"
import { escapeMalformedPaths, getOriginalTarget } from "./escapeMalformedPaths.ts"
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify"

/**
 * A plugin with our routes and nothing else. Its content type parsers are its own, so yours stay;
 * your hooks run before it, and headers they set leave with our answers.
 *
 * ```ts
 * app.register(signalbox(box), { prefix: "/ai" })
 * ```
 */
export const signalbox = (signalboxInstance: Signalbox): FastifyPluginCallback => {
  const { tryServe } = makeRequestServer(signalboxInstance)
  return (fastify, _options, done) => {
    // Counted, not compared: a prefix may have parameters.
    const depth = fastify.prefix.match(/[^/]+/g)?.length ?? 0
    const prefix = new RegExp(`^(?:/[^/?]+){${depth}}`)
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const target = getRequestPath({
        url: getOriginalTarget(request.raw) ?? request.raw.url ?? "/"
      })
      const [mount = ""] = prefix.exec(target) ?? []
      const path = target.slice(mount.length)
      if (!signalboxInstance.match(request.method, path)) return reply.callNotFound()
      const body = request.body === undefined ? undefined : { value: request.body }
      // What is injected is there as a whole, and has no connection that more of it could block.
      if (!("complete" in request.raw)) Object.assign(request.raw, { complete: true })
      tryServe(request.raw, takeOverReply(reply), { mount, path, body })
    }
    fastify.removeAllContentTypeParsers()
    // The body stays on the wire until the service wants it; where a hook put a stream in its place, that is read.
    fastify.addContentTypeParser("*", (request, payload, parsed) => {
      if (payload === request.raw) return parsed(null)
      // Who reads it is told; until then, or if nobody does, it may break unheard.
      payload.on("error", () => {})
      parsed(null, payload)
    })
    fastify.setErrorHandler<FastifyError>((error, request, reply) => {
      if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error
      // What it means that a type is none is for the operation to say, which has not seen the body either.
      handler(request, reply)
    })
    for (const { method, path } of routedPaths) {
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
