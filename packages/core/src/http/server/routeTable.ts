/** Which requests are ours, and which operation they ask for: adapters look here before they touch a request. */
import * as FindMyWay from "effect/http/FindMyWay"
import { contractOperations } from "../contractOperations.ts"

/** Decisions, the hot path, have a way of their own. */
type Route = "decision" | "contract" | "document" | "probe" | "reference"

/** An operation of the contract: its method and its path below the mount. */
export interface HttpOperation {
  readonly method: string
  /** Below the mount; parameters as `:name`. */
  readonly path: `/${string}`
  readonly route: Route
  /** What the contract calls it, and the group it is in. */
  readonly name: string
  readonly group: string
}

const routeByGroup: Readonly<Record<string, Route>> = { decisions: "decision", probes: "probe" }

/** Every operation there is, for hosts that route themselves. */
export const operations: ReadonlyArray<HttpOperation> = [
  ...contractOperations.map(({ endpoint: { method, path }, group, name }): HttpOperation => ({
    method,
    path: `/${path.slice(1)}`,
    name,
    group,
    route: routeByGroup[group] ?? "contract"
  })),
  { method: "GET", path: "/api/v1/openapi.json", route: "document", name: "document", group: "" },
  { method: "GET", path: "/api/v1/docs", route: "reference", name: "reference", group: "" }
]

/**
 * The longest value of a path parameter, in characters: names of secrets have up to 255. Routers of hosts allow for
 * 100, which is why `routedPaths` leaves parameters to `matchRoute`.
 */
const maxParameterLength = 1_024

/** Below these every path is ours, whether there is such an operation or not. */
const bases = ["/api/v1", "/api/alpha"] as const

const apiPath = new RegExp(`^(?:${bases.join("|")})(?:[/?]|$)`)

/** The methods of the contract. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

interface RoutedPath {
  readonly method: (typeof methods)[number]
  readonly path: `/${string}`
}

/**
 * What to register with a host's own router: everything that `isRouterField`, in wildcards. Operations without parameters
 * are listed one by one, so that a route of the host with a parameter in their place does not take them.
 */
export const routedPaths: ReadonlyArray<RoutedPath> = methods.flatMap((method) => [
  ...operations
    .filter((operation) => operation.method === method)
    .filter(({ path }) => !path.includes(":") || !apiPath.test(path))
    .map(({ path }) => ({ method, path })),
  ...bases.map((base): RoutedPath => ({ method, path: `${base}/*` }))
])

// To the letter, as Fastify does it: an operation has the same address behind every host.
const router = FindMyWay.make<HttpOperation>({
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: maxParameterLength
})
for (const operation of operations) router.on(operation.method, operation.path, operation)

/** The router would take what follows for a query; hosts take it for a part of the path. */
const strayDelimiter = /^[^?]*[;#]/

/** An operation as a request addresses it: the parameters of its path and its query, decoded. */
export interface RouteMatch extends FindMyWay.FindResult<HttpOperation> {
  /** Names an intern in the place of its path parameter. */
  readonly internHostname?: string
}

/**
 * What a request asks for; undefined means that there is no such operation. `path` is relative to the mount and may
 * carry a query; it matches to the letter. HEAD is answered where GET is.
 */
export const matchRoute = (method: string, path: string): RouteMatch | undefined =>
  strayDelimiter.test(path) ? undefined : router.find(method === "HEAD" ? "GET" : method, path)

/**
 * Whether we answer a request, be it that there is no such operation. `OPTIONS` is the host's: it asks for the
 * host's rules for other origins.
 */
export const isServedPath = (method: string, path: string): boolean =>
  method !== "OPTIONS" && (apiPath.test(path) || matchRoute(method, path) !== undefined)
