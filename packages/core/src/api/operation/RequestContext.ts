/** The context of a request, which handlers get beside their input. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { BodyLimit } from "../body/BodyLimit.ts"
import type { BodyRequest, RequestHeaders } from "../body/BodyRequest.ts"
import type { BodyError, JsonBody, ReadBodyOptions } from "../body/readBody.ts"
import type { RoutingMetadataRecorder } from "./RoutingMetadataRecorder.ts"

/** A parsed query; a repeated parameter is a list. */
export type SearchParams = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface RequestContext {
  /** Whether the application calls in process; `caller` then determines the workspace. */
  readonly isInProcess: boolean
  readonly caller: Caller
  readonly method: string
  /** Where the host serves the instance, such as `/ai`; empty at the root. */
  readonly mount: string
  /** The path of the operation below the mount, as the contract writes it. */
  readonly path: string
  /** The query before decoding. */
  readonly searchParams: SearchParams
  /** Header names are in lower case. */
  readonly headers: RequestHeaders
  /** Hostname of the request if it identifies an intern. */
  readonly internHostname: string | undefined
  /** For operations that parse their own bodies. */
  readonly readBody: (
    limit: BodyLimit,
    options?: ReadBodyOptions
  ) => Effect.Effect<JsonBody, BodyError>
  /** For operations that read forms, with `makeReadForm`; undefined in process. */
  readonly request: BodyRequest | undefined
  /** Closes when the response has been sent. It is made when it is first read. */
  readonly scope: Scope.Scope
  /** Records routing metadata for callers that request it. */
  readonly routing: RoutingMetadataRecorder
}
