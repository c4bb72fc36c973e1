/** The context of a request, which handlers get beside their input. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Settings } from "../../instance/Settings.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { BodyLimit } from "../body/BodyLimit.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import type { BodyError, JsonBody, ReadBodyOptions } from "../body/readBody.ts"
import { RequestTimedOut } from "../errors/HttpErrors.ts"
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
  /** Closes when the response has been sent. It is made when it is first read. */
  readonly scope: Scope.Scope
  /** Records routing metadata for callers that request it. */
  readonly routing: RoutingMetadataRecorder
}

/** Limits the duration of intern and vault requests, which fail with 408. */
export const makeWithTimeout = Effect.map(
  Settings,
  ({ internRequestTimeoutMillis: timeoutMillis }) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | RequestTimedOut, R> =>
      Effect.timeoutOrElse(effect, {
        duration: timeoutMillis,
        orElse: () => Effect.fail(new RequestTimedOut({ timeoutMillis }))
      })
)

/** The header that names what a response ignored of its request. */
export const ignoredHeader = "x-signalbox-ignored"

/** Proxies take about 8 KiB of headers altogether (https://nginx.org/r/large_client_header_buffers). */
const maxPaths = 32
const maxCharacters = 1_024
const maxPathCharacters = 100

/** Paths with commas between them, such as `plugins, tools.0.cache`, and how many more there are. */
export const encodeIgnored = (paths: ReadonlyArray<string>): string => {
  const distinct = [...new Set(paths)]
  const shown: Array<string> = []
  let characters = 0
  for (const path of distinct) {
    const text = encodePath(path)
    characters += text.length + 2
    if (shown.length === maxPaths || characters > maxCharacters) break
    shown.push(text)
  }
  const more = distinct.length - shown.length
  return more === 0 ? shown.join(", ") : [...shown, `+${more} more`].join(", ")
}

/** Names are the caller's: all but letters, digits and a few signs are percent-encoded, so that none can end the header. */
const encodePath = (path: string): string =>
  path.length > maxPathCharacters
    ? `${encodeURIComponent(path.slice(0, maxPathCharacters).toWellFormed())}...`
    : encodeURIComponent(path.toWellFormed())
