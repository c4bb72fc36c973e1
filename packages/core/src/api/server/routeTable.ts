/** Matches requests to operations; adapters consult it before they touch a request. */
import * as FindMyWay from "effect/http/FindMyWay"
import type { Operation } from "../contract/Operation.ts"
import { contractOperations } from "../contractOperations.ts"
import type { SearchParams } from "../operation/RequestContext.ts"

/** A page about the contract, outside of it. */
const makePage = (name: string, path: Operation["path"]): Operation => ({
  group: "",
  name,
  method: "GET",
  path,
  requiredCaller: "anyone",
  status: 200
})

export const openApiDocument = makePage("document", "/api/v1/openapi.json")
export const referencePage = makePage("reference", "/api/v1/docs")

/** All operations, for hosts with their own routing. */
export const operations: ReadonlyArray<Operation> = [
  ...contractOperations,
  openApiDocument,
  referencePage
]

/**
 * Longest value of a path parameter in characters. Secret names have up to 255, but routers of hosts allow 100,
 * which is why `routedPaths` leaves parameters to `matchRoute`.
 */
const maxParameterLength = 1_024

/** Signalbox serves every path below these, with 404 if no operation matches. */
const bases = ["/api/v1", "/api/alpha"] as const

const apiPath = new RegExp(`^(?:${bases.join("|")})(?:[/?]|$)`)

/** HTTP methods of the contract. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** A route of a host's router; `/*` at the end stands for every path below, and for the path itself. */
export interface RoutedPath {
  readonly method: (typeof methods)[number]
  readonly path: `/${string}`
}

/**
 * The routes to register with a host's router. Wildcards cover everything that `isServedPath` accepts. Operations
 * without parameters are also listed one by one, so that a host route with a parameter does not shadow them.
 */
export const routedPaths: ReadonlyArray<RoutedPath> = methods.flatMap((method) => [
  ...operations
    .filter((operation) => operation.method === method)
    .filter(({ path }) => !path.includes(":") || !apiPath.test(path))
    .map(({ path }) => ({ method, path })),
  ...bases.map((base): RoutedPath => ({ method, path: `${base}/*` }))
])

const makeRouter = () => {
  // Exact matching, like Fastify's default, gives operations the same paths on every host.
  const made = FindMyWay.make<Operation>({
    caseSensitive: true,
    ignoreDuplicateSlashes: false,
    ignoreTrailingSlash: false,
    maxParamLength: maxParameterLength
  })
  for (const operation of operations) made.on(operation.method, operation.path, operation)
  return made
}

/** Made with the first request, so that a process starts faster. */
let router: ReturnType<typeof makeRouter> | undefined

/** The router treats the rest as a query, whereas hosts treat it as part of the path. */
const strayDelimiter = /^[^?]*[;#]/

/** A matched operation with its decoded path and query parameters. */
export interface RouteMatch {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: SearchParams
  /** Hostname of the intern; replaces the path parameter. */
  readonly internHostname?: string
}

const noParameters = Object.freeze({})

/** Operations without path parameters, by method and path. Most requests call one, without a query. */
const fixedRoutes = new Map<string, Map<string, RouteMatch>>()
for (const operation of operations) {
  if (operation.path.includes(":")) continue
  const byPath = fixedRoutes.get(operation.method) ?? new Map<string, RouteMatch>()
  fixedRoutes.set(operation.method, byPath)
  byPath.set(operation.path, { operation, params: noParameters, searchParams: noParameters })
}

/**
 * The operation of a request; undefined if none matches. `path` is relative to the mount, may have a query and
 * matches exactly. HEAD matches wherever GET does.
 */
export const matchRoute = (method: string, path: string): RouteMatch | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const fixed = fixedRoutes.get(asked)?.get(path)
  if (fixed !== undefined) return fixed
  if (strayDelimiter.test(path)) return undefined
  const found = (router ??= makeRouter()).find(asked, path)
  return (
    found && {
      operation: found.handler,
      params: found.params,
      searchParams: found.searchParams
    }
  )
}

/**
 * Whether Signalbox responds to a request, if only with 404. `OPTIONS` is left to the host, whose CORS rules a
 * preflight asks for.
 */
export const isServedPath = (method: string, path: string): boolean =>
  method !== "OPTIONS" && (apiPath.test(path) || matchRoute(method, path) !== undefined)
