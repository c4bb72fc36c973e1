/** How a call was served, as the metadata of its result and of its error. */
import type {
  JSONObject,
  JSONValue,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata
} from "@ai-sdk/provider"
import type { ChatUsage, RouteReport } from "@signalbox/core/contract"
import {
  type AnswerEnd,
  type AnswerHead,
  type AnswerPiece,
  toFinishReason
} from "@signalbox/core/dialects"
import { optionsKey } from "./readOptions.ts"

/** `providerMetadata.signalbox` of every result. */
export type SignalboxMetadata = {
  /** The id of the generation record. */
  readonly generationId: string
  /** The catalog id of the model that answered. */
  readonly model: string
  /** The display name of the provider that answered. */
  readonly provider?: string
  /** USD, of all attempts; absent: a price is unknown. */
  readonly cost?: number
  /** Whether it ran on the account's own credential, which the provider bills. */
  readonly isByok?: boolean
  /**
   * The attempts, and why endpoints were tried in this order, demoted or rejected: the `service_metadata` of the HTTP API.
   */
  readonly routing?: JSONObject
  /** Of a language model: the fingerprint of the system that answered, if its provider says it. */
  readonly systemFingerprint?: string
  /** Of a language model: the service tier that answered, if its provider says it. */
  readonly serviceTier?: string
  /** Of a language model: the log probabilities of tokens, if they were asked for. Streams have none. */
  readonly logprobs?: JSONValue
  /** Of a decision: the answers with their confidence, as the HTTP API gives them. */
  readonly answers?: JSONObject
}

/** The latest report of a call. */
export class RouteLog {
  #report: RouteReport = {}

  readonly onRoute = (report: RouteReport): void => {
    this.#report = report
  }

  get generationId(): string | undefined {
    return this.#report.generationId
  }

  get metadata(): RouteReport["metadata"] {
    return this.#report.metadata
  }

  /** Undefined: the call was refused before it was planned. */
  toRouting(): { readonly routing: JSONObject } | undefined {
    return this.metadata === undefined ? undefined : { routing: toJson(this.metadata) }
  }

  /** Who served, for answers that do not say it. */
  findProvider(): { readonly provider: string } | undefined {
    const { attempt, attempts } = this.metadata ?? {}
    const served: unknown =
      Array.isArray(attempts) && typeof attempt === "number" ? attempts[attempt - 1] : undefined
    const provider: unknown = Object(served).provider
    return typeof provider === "string" ? { provider } : undefined
  }
}

/** What the router says is JSON, which its types do not. */
export const toJson = (value: object): JSONObject => {
  const json: JSONObject = JSON.parse(JSON.stringify(value))
  return json
}

export const writeCost = ({
  cost,
  is_byok
}: Pick<ChatUsage, "cost" | "is_byok">): Pick<SignalboxMetadata, "cost" | "isByok"> => ({
  ...(cost === undefined ? undefined : { cost }),
  ...(is_byok === undefined ? undefined : { isByok: is_byok })
})

export const writeFinishReason = (
  { nativeReason, reason }: AnswerEnd,
  hasCalls: boolean
): LanguageModelV4FinishReason => ({
  unified: toFinishReason(reason, hasCalls),
  raw: nativeReason ?? reason ?? undefined
})

/** Of a language model. */
export const writeChatMetadata = (
  { id, model, provider }: Partial<AnswerHead>,
  { marks, usage }: Partial<Pick<Extract<AnswerPiece, { type: "end" }>, "marks" | "usage">>,
  route: RouteLog,
  logprobs?: unknown
): SharedV4ProviderMetadata => ({
  [optionsKey]: toJson({
    generationId: id ?? route.generationId,
    model,
    provider,
    ...writeCost(usage ?? {}),
    systemFingerprint: marks?.systemFingerprint,
    serviceTier: marks?.serviceTier,
    logprobs: logprobs ?? undefined,
    ...route.toRouting()
  })
})

/** Of all attempts, as it is charged; undefined: unknown. */
export const writeUsage = (usage: ChatUsage | undefined): LanguageModelV4Usage => {
  const { cache_write_tokens, cached_tokens } = usage?.prompt_tokens_details ?? {}
  const { reasoning_tokens } = usage?.completion_tokens_details ?? {}
  return {
    inputTokens: {
      total: usage?.prompt_tokens,
      noCache:
        usage === undefined
          ? undefined
          : usage.prompt_tokens - (cached_tokens ?? 0) - (cache_write_tokens ?? 0),
      cacheRead: cached_tokens,
      cacheWrite: cache_write_tokens
    },
    outputTokens: {
      total: usage?.completion_tokens,
      text:
        usage === undefined || reasoning_tokens === undefined
          ? undefined
          : usage.completion_tokens - reasoning_tokens,
      reasoning: reasoning_tokens
    },
    ...(usage === undefined ? undefined : { raw: toJson(usage) })
  }
}
