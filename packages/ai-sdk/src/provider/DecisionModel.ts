/**
 * The experimental decision models of the AI SDK. The lowest version of `@ai-sdk/provider` that this package takes has no
 * types of them, so these are their own; they fit `Experimental_DecisionModelV4`.
 */
import type {
  JSONObject,
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4TextPart,
  SharedV4Headers,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
  SharedV4Warning
} from "@ai-sdk/provider"

/** Text, or JSON that is not a single value. */
export type DecisionInput = string | Readonly<JSONObject> | ReadonlyArray<JSONValue>

export type DecisionQuestion =
  | {
      readonly type: "choice"
      readonly instructions?: DecisionInput | null
      readonly criteria: Readonly<Record<string, DecisionInput | null>>
    }
  | {
      readonly type: "score"
      readonly instructions?: DecisionInput | null
      readonly criteria: ReadonlyArray<DecisionInput | null>
    }
  | { readonly type: "box"; readonly instructions?: DecisionInput | null }
  | {
      readonly type: "boolean"
      readonly instructions?: DecisionInput | null
      readonly criteria?: {
        readonly true?: DecisionInput | null
        readonly false?: DecisionInput | null
      } | null
    }

export type DecisionState = ReadonlyArray<
  | LanguageModelV4FilePart
  | LanguageModelV4TextPart
  | { readonly type: "json"; readonly value: JSONValue }
>

export type DecisionAnswer =
  | {
      readonly type: "choice"
      readonly choice: string
      readonly probabilities?: Record<string, number>
    }
  | {
      readonly type: "score"
      readonly score: number
      readonly probabilities?: Record<string, number>
    }
  | { readonly type: "boolean"; readonly probability: number }

export interface DecisionCallOptions {
  readonly state: DecisionState
  readonly questions: Readonly<Record<string, DecisionQuestion>>
  readonly maxOutputTokens?: number
  readonly reasoning?: LanguageModelV4CallOptions["reasoning"]
  readonly abortSignal?: AbortSignal
  readonly headers?: SharedV4Headers
  readonly providerOptions?: SharedV4ProviderOptions
}

export interface DecisionResult {
  answers: Record<string, DecisionAnswer>
  usage: { inputTokens: number; outputTokens: number }
  warnings: Array<SharedV4Warning>
  providerMetadata: SharedV4ProviderMetadata
  response: { id?: string; modelId: string; timestamp: Date }
}

/** A model for `experimental_decide`: yes or no, a choice, or a score, with probabilities. */
export interface SignalboxDecisionModel {
  readonly specificationVersion: "v4"
  readonly provider: string
  readonly modelId: string
  readonly supportedQuestionTypes: ReadonlyArray<"boolean" | "choice" | "score">
  readonly doDecide: (options: DecisionCallOptions) => Promise<DecisionResult>
}
