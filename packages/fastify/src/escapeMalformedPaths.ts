/** Lets the plugin answer paths that are not valid percent-encoding, which Fastify refuses before it looks for a route. */
import type { IncomingMessage, Server } from "node:http"
import { escapePercents, hasMalformedEncoding } from "@signalbox/core/adapter"

/**
 * The request target as the client sent it, of a request whose target was changed for Fastify's router. Undefined
 * for every other request.
 */
export const getOriginalTarget = (request: IncomingMessage): string | undefined =>
  originalTarget.get(request)

const originalTarget = new WeakMap<IncomingMessage, string>()

/**
 * Escapes the `%` of a malformed path below `prefix` before Fastify sees it, so that it reaches the plugin through
 * the hooks of the host. Requests that are injected do not pass the server and keep Fastify's own answer.
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
