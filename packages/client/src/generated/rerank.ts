/** Rerank: the operations of the group `rerank`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Trace } from "./types/Trace.ts"

export interface RerankCreateInput {
  readonly model: string
  readonly query: string
  readonly top_n?: number
  readonly provider?: Preferences
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly documents: ReadonlyArray<
    | string
    | {
        readonly text?: string
        readonly image?: string
      }
  >
  readonly [field: string]: unknown
}

export interface RerankCreateOutput {
  readonly id: string
  readonly model: string
  readonly provider: string
  readonly results: ReadonlyArray<{
    readonly index: number
    readonly relevance_score: number
    readonly document: {
      readonly text?: string
      readonly image?: string
    }
  }>
  readonly usage: {
    readonly search_units?: number
    readonly total_tokens?: number
    readonly cost?: number
    readonly reported?: {
      readonly total_tokens?: number
      readonly cost?: number
    }
  }
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}

/** Rerank. */
export const rerank = (connection: Connection) => ({
  /** Rank documents by their relevance to a query, best first. Every attempt is at an endpoint of the requested model, because scores of two models cannot be compared. */
  create: (input: RerankCreateInput, options?: CallOptions): Promise<RerankCreateOutput> =>
    connection.call("POST /api/v1/rerank", input, options)
})
