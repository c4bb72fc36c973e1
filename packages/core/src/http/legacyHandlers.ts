/** What an operation of the contract is asked: who asks, and how the request addresses it. */
import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Caller } from "../auth/Caller.ts"
import type { ExpectedError } from "./errors/toErrorResponse.ts"
import type { QueryParameters } from "./QueryParameters.ts"
import type { RoutingMetadataRecorder } from "./RoutingMetadataRecorder.ts"

export interface LegacyContext {
  readonly caller: Caller
  /** Where the host mounted us. */
  readonly mount: string
  /** As the contract has it, below the mount. */
  readonly path: string
  /** What stands in the places of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: QueryParameters
  readonly request: HttpServerRequest.HttpServerRequest
  /** What the request comes to, where it is routed; told beside errors without the handler. */
  readonly routing: RoutingMetadataRecorder
}

/** Decodes, calls one service, encodes; the scope is the response's. What it fails with is told by `failWithResponse`. */
export type Handler = (
  context: LegacyContext
) => Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError, Scope.Scope>

/** A handler for each operation of a group of the contract. */
export type Handlers<Group extends { readonly endpoints: object }> = {
  readonly [Name in keyof Group["endpoints"]]: Handler
}
