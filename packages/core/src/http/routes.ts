/** Which requests are ours: asked by an adapter before it touches the host's request. */
import * as FindMyWay from "effect/http/FindMyWay"
import { Api } from "./api/Api.ts"

/** Decisions, the hot path, have a way of their own. */
export type Route = "decision" | "contract" | "document" | "reference"

export interface Operation {
  readonly method: string
  /** Below the mount; parameters as `:name`. */
  readonly path: `/${string}`
  readonly route: Route
  /** What the contract calls it, and the group it is in. */
  readonly name: string
  readonly group: string
}

/** Every operation there is, for hosts that route themselves. */
export const operations: ReadonlyArray<Operation> = [
  ...Object.values(Api.groups).flatMap((group) =>
    Object.entries(group.endpoints).map(([name, { method, path }]): Operation => ({
      method,
      path,
      name,
      group: group.identifier,
      route: group.identifier === "decisions" ? "decision" : "contract"
    }))
  ),
  { method: "GET", path: "/api/v1/openapi.json", route: "document", name: "document", group: "" },
  { method: "GET", path: "/api/v1/docs", route: "reference", name: "reference", group: "" }
]

/** Names of secrets have up to 255 characters, where routers allow for 100. */
const longestParameter = 1_024

/**
 * The path of an operation as a router takes it that may not allow for the longest names: they stand at the
 * end, where such a router lets anything stand. What it then takes for ours need not be: ask `match`.
 */
export const routedPath = (path: Operation["path"]): Operation["path"] =>
  path.endsWith("/:name") ? `/${path.slice(1, -":name".length)}*` : path

// To the letter, as Fastify does it: an operation has the same address behind every host.
const router = FindMyWay.make<Operation>({
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: longestParameter
})
for (const operation of operations) router.on(operation.method, operation.path, operation)

/** The router would take what follows for a query; hosts take it for a part of the path. */
const strayDelimiter = /^[^?]*[;#]/

/** An operation as a request addresses it: the parameters of its path and its query, decoded. */
export type Matched = FindMyWay.FindResult<Operation>

/**
 * What a request asks for; undefined means it is not ours. `path` is relative to the mount and may
 * carry a query; it matches to the letter. HEAD is answered where GET is.
 */
export const match = (method: string, path: string): Matched | undefined =>
  strayDelimiter.test(path) ? undefined : router.find(method === "HEAD" ? "GET" : method, path)
