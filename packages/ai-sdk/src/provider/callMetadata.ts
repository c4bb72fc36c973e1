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
  type ChatEnd,
  toFinishReason,
  toPartUsage
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
  /** For a language model: the fingerprint of the system that answered, if its provider reports it. */
  readonly systemFingerprint?: string
  /** For a language model: the service tier that answered, if its provider reports it. */
  readonly serviceTier?: string
  /** For a language model: the log probabilities of tokens, if they were requested. Streams have none. */
  readonly logprobs?: JSONValue
  /** For a decision: the answers with their confidence, in the form of the HTTP API. */
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

/** Writes the metadata of a language model. */
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

/** The usage that is charged, the sum over all attempts; undefined: unknown. */
export const writeUsage = ({ tokens, usage }: Partial<ChatEnd>): LanguageModelV4Usage => {
  const { inputTokens, outputTokens } = toPartUsage(tokens)
  const { uncached: noCache, ...input } = inputTokens
  return {
    inputTokens: { ...input, noCache },
    outputTokens,
    ...(usage === undefined ? undefined : { raw: toJson(usage) })
  }
}
