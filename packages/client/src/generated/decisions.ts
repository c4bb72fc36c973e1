/** Decisions: the operations of the group `decisions`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { DecideRequest, DecideResult } from "./types/Decision.ts"
import type { Question } from "./types/Question.ts"
import type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"

/** Decisions. */
export const decisions = (connection: Connection) => ({
  /** Create a Decision: one typed answer for each named question about the content. */
  create: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: CallOptions
  ): Promise<DecideResult<Q> & WithRoutingMetadata> =>
    connection.call("POST /api/alpha/decisions", request, options),
  /** Create a Decision: one typed answer for each named question about the content. Alias of `/api/alpha/decisions`. */
  createUnderBase: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: CallOptions
  ): Promise<DecideResult<Q> & WithRoutingMetadata> =>
    connection.call("POST /api/v1/api/alpha/decisions", request, options),
  /** Create a Decision: one typed answer for each named question about the content. Alias of `/api/alpha/decisions`. */
  systemone: <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    options?: CallOptions
  ): Promise<DecideResult<Q> & WithRoutingMetadata> =>
    connection.call("POST /api/v1/systemone", request, options)
})
