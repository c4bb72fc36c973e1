/** Parses an untrusted response of a chat endpoint. */
import { type TokenUsage, UpstreamFailure } from "@signalbox/core/upstream"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** A candidate for a token and the logarithm of its probability. */
export interface TopLogprob {
  readonly token: string
  readonly logprob: number
}

export interface ChatResponse {
  /** The endpoint's id of the answer. */
  readonly id: string | undefined
  /** The tier that served the call, as the endpoint reports it. */
  readonly serviceTier: string | undefined
  /** The dated name of the model that answered. */
  readonly model: string | undefined
  /** As the endpoint reports it. */
  readonly usage: TokenUsage | undefined
  readonly text: string
  /** Whether the answer ended at the token limit. */
  readonly isTruncated: boolean
  /** The most probable first tokens, if the endpoint sent them. */
  readonly firstTokenLogprobs: ReadonlyArray<TopLogprob> | undefined
}

/** Fails if `json` contains an error, a refusal or no choice. */
export const parseChatResponse = (json: unknown): Result.Result<ChatResponse, UpstreamFailure> => {
  const response = Predicate.isObject(json) ? json : {}
  const usage = parseUsage(response["usage"])
  const fail = (kind: UpstreamFailure["kind"], detail: string) =>
    Result.fail(
      new UpstreamFailure({
        kind,
        detail: detail.slice(0, detailLimit),
        ...(usage === undefined ? undefined : { usage })
      })
    )

  const { choices, error, id, model, service_tier } = response
  if (isError(error)) return fail("server_error", getErrorMessage(error))
  const choice = isChoices(choices) ? choices[0] : undefined
  if (choice === undefined) return fail("invalid_answer", "the answer holds no choice")
  if (isError(choice.error) || choice.finish_reason === "error") {
    return fail("server_error", getErrorMessage(choice.error))
  }
  if (choice.message?.refusal) return fail("content_refused", choice.message.refusal)
  if (choice.finish_reason === "content_filter") {
    return fail("content_refused", "stopped by a content filter")
  }
  return Result.succeed({
    id: isShortText(id) ? id : undefined,
    serviceTier: isShortText(service_tier) ? service_tier : undefined,
    model: typeof model === "string" ? model : undefined,
    usage,
    text: choice.message?.content ?? "",
    isTruncated: choice.finish_reason === "length",
    firstTokenLogprobs: findFirstTokenLogprobs(choice.logprobs)
  })
}

/** Truncated, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const parseUsage = (usage: unknown): TokenUsage | undefined => {
  if (!Predicate.isObject(usage)) return undefined
  const { completion_tokens, completion_tokens_details, prompt_tokens, prompt_tokens_details } =
    usage
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined
  // Calls of one Decision share the state as their prefix, so endpoints cache it.
  const cachedTokens = findCount(prompt_tokens_details, "cached_tokens")
  const reasoningTokens = findCount(completion_tokens_details, "reasoning_tokens")
  return {
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens,
    ...(cachedTokens === undefined ? undefined : { cachedTokens }),
    ...(reasoningTokens === undefined ? undefined : { reasoningTokens })
  }
}

const findCount = (details: unknown, name: string): number | undefined => {
  const count = Predicate.isObject(details) ? details[name] : undefined
  return isCount(count) ? count : undefined
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** A longer text is omitted, so that records stay small. */
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256

const isError = (error: unknown): boolean =>
  typeof error === "string" || (typeof error === "object" && error !== null)

const getErrorMessage = (error: unknown): string => {
  if (typeof error === "string") return error
  const message = Predicate.isObject(error) ? error["message"] : undefined
  return typeof message === "string" ? message : "the answer reports an error"
}

interface Choice {
  readonly finish_reason?: string | null
  readonly message?: { readonly content?: string | null; readonly refusal?: string | null } | null
  readonly logprobs?: unknown
  readonly error?: unknown
}

const isChoices = (choices: unknown): choices is ReadonlyArray<Choice> =>
  Array.isArray(choices) && choices.every(isChoice)

const isChoice = (choice: unknown): choice is Choice =>
  Predicate.isObject(choice) &&
  isTextOrNothing(choice["finish_reason"]) &&
  isMessageOrNothing(choice["message"])

const isMessageOrNothing = (message: unknown): boolean =>
  message === undefined ||
  message === null ||
  (Predicate.isObject(message) &&
    isTextOrNothing(message["content"]) &&
    isTextOrNothing(message["refusal"]))

const isTextOrNothing = (value: unknown): boolean =>
  typeof value === "string" || value === undefined || value === null

const findFirstTokenLogprobs = (logprobs: unknown): ReadonlyArray<TopLogprob> | undefined => {
  const content = Predicate.isObject(logprobs) ? logprobs["content"] : undefined
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const candidates = Predicate.isObject(first) ? first["top_logprobs"] : undefined
  return isTopLogprobs(candidates) ? candidates : undefined
}

const isTopLogprobs = (candidates: unknown): candidates is ReadonlyArray<TopLogprob> =>
  Array.isArray(candidates) && candidates.length > 0 && candidates.every(isTopLogprob)

const isTopLogprob = (candidate: unknown): boolean =>
  Predicate.isObject(candidate) &&
  typeof candidate["token"] === "string" &&
  Number.isFinite(candidate["logprob"])
