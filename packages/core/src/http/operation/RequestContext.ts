/** What a handler knows of a request beside its input. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Caller } from "../../auth/Caller.ts"
import type { BodyLimit } from "../body/BodyLimit.ts"
import type { BodyError, JsonBody, ReadBodyOptions } from "../body/readBody.ts"
import type { RoutingMetadataRecorder } from "./RoutingMetadataRecorder.ts"

/** As a router splits a query: a parameter given twice is a list. */
export type SearchParams = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface RequestContext {
  /** Whether the application calls in process; `caller` then says which workspace is meant. */
  readonly isInProcess: boolean
  readonly caller: Caller
  readonly method: string
  /** Where the host serves the instance, such as `/ai`; empty at the root. */
  readonly mount: string
  /** The path of the operation below the mount, as the contract writes it. */
  readonly path: string
  /** The query as it was given. */
  readonly searchParams: SearchParams
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The hostname of the intern that the request was sent to, where that says which intern is meant. */
  readonly internHostname: string | undefined
  /** For operations that parse their own bodies. */
  readonly readBody: (
    limit: BodyLimit,
    options?: ReadBodyOptions
  ) => Effect.Effect<JsonBody, BodyError, Scope.Scope>
  /** Collects how the request is routed, for callers that ask for it. */
  readonly routing: RoutingMetadataRecorder
}
