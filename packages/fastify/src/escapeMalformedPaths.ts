/** Lets the plugin answer paths that are not valid percent-encoding, which Fastify refuses before it looks for a route. */
import type { IncomingMessage, Server } from "node:http"
import { escapePercents, hasMalformedEncoding } from "@signalbox/core/adapter"

/**
 * The original target of a request whose target was escaped for Fastify's router. Undefined for every other request.
 */
export const getOriginalTarget = (request: IncomingMessage): string | undefined =>
  originalTarget.get(request)

const originalTarget = new WeakMap<IncomingMessage, string>()

/**
 * Escapes the `%` of a malformed path below `prefix` before Fastify routes it, so that the request passes the host's hooks
 * and reaches the plugin. Injected requests do not pass the server, so Fastify answers them itself.
 */
export const escapeMalformedPaths = (server: Server, prefix: string): void => {
  const below = new RegExp(`^${toPattern(prefix)}/api/(?:v1|alpha)/`)
  server.prependListener("request", (request) => {
    const { url = "" } = request
    const [path = ""] = url.split("?")
    if (!below.test(path) || !hasMalformedEncoding(path)) return
    originalTarget.set(request, url)
    request.url = escapePercents(url)
  })
}

/** Parameters of a prefix stand for one segment each. */
const toPattern = (prefix: string): string =>
  prefix
    .split("/")
    .map((segment) =>
      segment.includes(":") ? "[^/]+" : segment.replaceAll(/[^\w-]/g, String.raw`\$&`)
    )
    .join("/")
