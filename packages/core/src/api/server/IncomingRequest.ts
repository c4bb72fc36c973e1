/** A request as the HTTP server reads it, the same for every host. */
import type * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { BodyRequest } from "../body/BodyRequest.ts"
import type { HostParsedBody } from "../body/HostBody.ts"

/** A request of a host, with what the server reads of it. */
export interface IncomingRequest extends BodyRequest {
  readonly method: string
  /** The path below the mount, with the query. */
  readonly url: string
  /** With scheme and authority, if the host knows them. */
  readonly originalUrl: string
  /** The path prefix under which the host serves the instance, such as `/ai`; empty at the root. */
  readonly mount: string
  /** Identifies the request in its response and in the log. */
  readonly requestId: string
  /** Set by who reads the body before the server does, too. */
  hostBody: HostParsedBody | undefined
  /** Set by who authenticates the request before the server does; it then counts against no rate limit. */
  caller?: Caller
}

/** Responds to a request. It begins when it is called, so call it in the fiber of the request. */
export type Respond = (request: IncomingRequest) => Effect.Effect<HttpServerResponse>
