/** Finds the mount of a listener that the host has made a route of, as by `app.all("/ai/*splat", ...)`. */
import { stripMountPrefix } from "@signalbox/core/adapter"

/** Where below the mount of its router the instance is mounted, and the rest of the path. */
export interface RouteMount {
  readonly mount: string
  readonly path: string
}

/**
 * Express takes the prefix off the path for `app.use`, but not for routes. There the prefix is the part of the pattern
 * before its first wildcard. Undefined if the path is not below it. `route` is the request's:
 * https://expressjs.com/en/5x/api.html#req.route.
 */
export const findRouteMount = (route: unknown, path: string): RouteMount | undefined => {
  const patterns: unknown = Object(route).path
  for (const pattern of Array.isArray(patterns) ? patterns : [patterns]) {
    if (typeof pattern !== "string") continue
    const mount = toPrefixPattern(pattern)?.exec(path)?.[0]
    const rest = mount === undefined ? undefined : stripMountPrefix(path, mount)
    if (mount !== undefined && rest !== undefined) return { mount, path: rest }
  }
  return undefined
}

/** Undefined for a pattern that is a wildcard from its start. Each host has few routes of an instance. */
const toPrefixPattern = (pattern: string): RegExp | undefined => {
  if (!prefixPatterns.has(pattern)) prefixPatterns.set(pattern, makePrefixPattern(pattern))
  return prefixPatterns.get(pattern)
}

const prefixPatterns = new Map<string, RegExp | undefined>()

/** In Express 4, `:name(*)` is a wildcard too. */
const wildcard = /\/?(?::\w+)?[*({+?].*$/s

const makePrefixPattern = (pattern: string): RegExp | undefined => {
  const segments = pattern.replace(wildcard, "").split("/").filter(Boolean)
  if (segments.length === 0) return undefined
  const parts = segments.map((segment) =>
    segment.includes(":") ? "[^/?]+" : segment.replaceAll(/[^\w-]/g, String.raw`\$&`)
  )
  return new RegExp(`^/${parts.join("/")}(?=[/?]|$)`)
}
