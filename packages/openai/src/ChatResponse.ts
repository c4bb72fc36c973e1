/** Parses an untrusted response of a chat endpoint. */
import { type TokenUsage, UpstreamFailure } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

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
  const counted = Option.getOrUndefined(decodeUsage(json))?.usage
  const cached = Option.getOrUndefined(decodeCachedTokens(counted))?.prompt_tokens_details
    .cached_tokens
  const thought = Option.getOrUndefined(decodeReasoningTokens(counted))?.completion_tokens_details
    .reasoning_tokens
  const usage: TokenUsage | undefined = counted && {
    inputTokens: counted.prompt_tokens,
    outputTokens: counted.completion_tokens,
    ...(cached === undefined ? undefined : { cachedTokens: cached }),
    ...(thought === undefined ? undefined : { reasoningTokens: thought })
  }
  const fail = (kind: UpstreamFailure["kind"], detail: string) =>
    Result.fail(
      new UpstreamFailure({
        kind,
        detail: detail.slice(0, detailLimit),
        ...(usage === undefined ? undefined : { usage })
      })
    )

  const error = decodeError(json)
  if (Option.isSome(error)) return fail("server_error", getErrorMessage(error.value.error))
  const read = decodeChoices(json)
  if (Option.isNone(read)) return fail("invalid_answer", "the answer holds no choice")
  const choice = read.value.choices[0]
  if (hasError({ error: choice.error }) || choice.finish_reason === "error") {
    return fail("server_error", getErrorMessage(choice.error))
  }
  if (choice.message?.refusal) return fail("content_refused", choice.message.refusal)
  if (choice.finish_reason === "content_filter") {
    return fail("content_refused", "stopped by a content filter")
  }
  return Result.succeed({
    id: Option.getOrUndefined(decodeId(json))?.id,
    serviceTier: Option.getOrUndefined(decodeServiceTier(json))?.service_tier,
    model: Option.getOrUndefined(decodeModel(json))?.model,
    usage,
    text: choice.message?.content ?? "",
    isTruncated: choice.finish_reason === "length",
    firstTokenLogprobs: Option.getOrUndefined(decodeLogprobs(choice.logprobs))?.content[0]
      .top_logprobs
  })
}

/** Truncated, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const decodeUsage = Schema.decodeUnknownOption(
  Schema.Struct({
    usage: Schema.Struct({
      prompt_tokens: Count,
      completion_tokens: Count,
      prompt_tokens_details: Schema.optionalKey(Schema.Unknown),
      completion_tokens_details: Schema.optionalKey(Schema.Unknown)
    })
  })
)

/** Calls of one Decision share the state as their prefix, so endpoints cache it. */
const decodeCachedTokens = Schema.decodeUnknownOption(
  Schema.Struct({ prompt_tokens_details: Schema.Struct({ cached_tokens: Count }) })
)

const decodeReasoningTokens = Schema.decodeUnknownOption(
  Schema.Struct({ completion_tokens_details: Schema.Struct({ reasoning_tokens: Count }) })
)

/** A longer text is omitted, so that records stay small. */
const ShortText = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(256))
const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: ShortText }))
const decodeServiceTier = Schema.decodeUnknownOption(Schema.Struct({ service_tier: ShortText }))

const decodeModel = Schema.decodeUnknownOption(Schema.Struct({ model: Schema.String }))

const WithError = Schema.Struct({ error: Schema.Union([Schema.String, Schema.ObjectKeyword]) })
const decodeError = Schema.decodeUnknownOption(WithError)
const hasError = Schema.is(WithError)

const decodeMessage = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.String }))

const getErrorMessage = (error: unknown): string =>
  typeof error === "string"
    ? error
    : (Option.getOrUndefined(decodeMessage(error))?.message ?? "the answer reports an error")

const optionalNullable = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema))

const decodeChoices = Schema.decodeUnknownOption(
  Schema.Struct({
    choices: Schema.NonEmptyArray(
      Schema.Struct({
        finish_reason: optionalNullable(Schema.String),
        message: optionalNullable(
          Schema.Struct({
            content: optionalNullable(Schema.String),
            refusal: optionalNullable(Schema.String)
          })
        ),
        logprobs: Schema.optionalKey(Schema.Unknown),
        error: Schema.optionalKey(Schema.Unknown)
      })
    )
  })
)

const decodeLogprobs = Schema.decodeUnknownOption(
  Schema.Struct({
    content: Schema.TupleWithRest(
      Schema.Tuple([
        Schema.Struct({
          top_logprobs: Schema.NonEmptyArray(
            Schema.Struct({ token: Schema.String, logprob: Schema.Finite })
          )
        })
      ]),
      [Schema.Unknown]
    )
  })
)
