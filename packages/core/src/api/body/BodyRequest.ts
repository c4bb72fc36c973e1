/** What a request has to offer for its body to be read. */
import type * as Scope from "effect/Scope"
import type { BodySource } from "./BodySource.ts"
import type { HostParsedBody } from "./HostBody.ts"

/** By name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface BodyRequest {
  readonly headers: RequestHeaders
  /** The host's own request: Node's, with what middleware added to it, or a web-standard one. */
  readonly source: object
  /** Undefined if the host has not read the body. */
  readonly hostBody: HostParsedBody | undefined
  /** Closes when the response has been sent. */
  readonly scope: Scope.Scope
  /** The body as it was sent; undefined for a request that cannot have a body. */
  readonly openBody: () => BodySource | undefined
  /** The same, for decompressing it. Fails if the body breaks off. */
  readonly iterateBody: () => AsyncIterable<Uint8Array>
}
