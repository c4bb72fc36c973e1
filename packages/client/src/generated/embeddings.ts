/** Embeddings: the operations of the group `embeddings`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Trace } from "./types/Trace.ts"

export interface EmbeddingsCreateInput {
  readonly model: string
  readonly dimensions?: number
  readonly encoding_format?: "float" | "base64"
  readonly input_type?: string
  readonly provider?: Preferences
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly input:
    | string
    | ReadonlyArray<string>
    | ReadonlyArray<number>
    | ReadonlyArray<ReadonlyArray<number>>
    | ReadonlyArray<{
        readonly content: ReadonlyArray<{
          readonly type: string
          readonly [field: string]: unknown
        }>
      }>
  readonly [field: string]: unknown
}

export interface EmbeddingsCreateOutput {
  readonly id: string
  readonly object: "list"
  readonly model: string
  readonly data: ReadonlyArray<{
    readonly object: "embedding"
    readonly index: number
    readonly embedding: ReadonlyArray<number> | string
  }>
  readonly usage: {
    readonly prompt_tokens: number
    readonly total_tokens: number
    readonly cost?: number
    readonly is_byok?: boolean
    readonly reported?: {
      readonly prompt_tokens?: number
      readonly cost?: number
    }
    readonly prompt_tokens_details?: {
      readonly text_tokens?: number
      readonly image_tokens?: number
      readonly audio_tokens?: number
      readonly video_tokens?: number
      readonly file_tokens?: number
    }
  }
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}

/** Embeddings. */
export const embeddings = (connection: Connection) => ({
  /** Make embeddings: one vector for each input, in their order. Every attempt is at an endpoint of the requested model, because vectors of two models cannot be compared. The whole list succeeds or fails. */
  create: (input: EmbeddingsCreateInput, options?: CallOptions): Promise<EmbeddingsCreateOutput> =>
    connection.call("POST /api/v1/embeddings", input, options)
})
