/** Which requests are ours: asked by an adapter before it touches the host's request. */
import * as FindMyWay from "effect/http/FindMyWay"
import { Api } from "./api/Api.ts"

/** `decision` takes the short way; everything else goes through the contract's own router. */
export type Route = "decision" | "contract" | "document" | "reference"

export interface Operation {
  readonly method: string
  /** Below the mount; parameters as `:name`. */
  readonly path: `/${string}`
  readonly route: Route
}

/** Every operation there is, for hosts that route themselves. */
export const operations: ReadonlyArray<Operation> = [
  ...Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).map(({ method, path }): Operation => ({
      method,
      path,
      route: group.identifier === "decisions" ? "decision" : "contract"
    }))
  ),
  { method: "GET", path: "/api/v1/openapi.json", route: "document" },
  { method: "GET", path: "/api/v1/docs", route: "reference" }
]

// To the letter, as Fastify does it: an operation has the same address behind every host.
const router = FindMyWay.make<Route>({
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false
})
for (const { method, path, route } of operations) router.on(method, path, route)

/** The router would take what follows for a query; hosts take it for a part of the path. */
const strayDelimiter = /^[^?]*[;#]/

/**
 * The route of a request; undefined means it is not ours. `path` is relative to the mount and may
 * carry a query; it matches to the letter. HEAD is answered where GET is.
 */
export const match = (method: string, path: string): Route | undefined =>
  strayDelimiter.test(path)
    ? undefined
    : router.find(method === "HEAD" ? "GET" : method, path)?.handler
