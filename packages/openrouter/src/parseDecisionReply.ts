/** Parses an untrusted Decisions response into verdicts on the questions. */
import {
  type DecisionReply,
  type Questions,
  type TokenUsage,
  UpstreamFailure,
  type Verdict
} from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { findErrorMessage } from "./findErrorMessage.ts"
import { parseCost } from "./parseCost.ts"
import { toVerdict } from "./toVerdict.ts"

/** The reply in `json`; a failure carries the usage that the response reports. */
export const parseDecisionReply = (
  questions: Questions,
  json: unknown
): Result.Result<DecisionReply, UpstreamFailure> => {
  const response = Option.getOrUndefined(decodeResponse(json))
  if (response === undefined) return Result.fail(toReplyFailure(json))
  const usage = toTokenUsage(response)
  const fail = (detail: string) =>
    Result.fail(
      new UpstreamFailure({ kind: "invalid_answer", detail: detail.slice(0, detailLimit), usage })
    )

  const { answers, id, model } = response
  const names = Object.keys(questions)
  if (Object.keys(answers).length !== names.length) {
    return fail("the answer does not have exactly the questions asked")
  }
  const verdicts = new Map<string, Verdict>()
  for (const [position, name] of names.entries()) {
    const verdict = Object.hasOwn(answers, name)
      ? toVerdict(questions[name]!, answers[name])
      : Result.fail("it is missing")
    if (Result.isFailure(verdict)) {
      return fail(`answer ${position + 1}: ${verdict.failure}`)
    }
    verdicts.set(name, verdict.success)
  }
  const cost = parseCost(response.usage.cost)
  return Result.succeed({
    verdicts,
    usage,
    method: "native",
    model,
    ...(isShortText(id) ? { id } : undefined),
    ...(cost === undefined ? undefined : { cost })
  })
}

/** Truncated, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Usage = Schema.Struct({ input_tokens: Count, output_tokens: Count })

const toTokenUsage = ({ usage }: { readonly usage: typeof Usage.Type }): TokenUsage => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens
})

const Response = Schema.Struct({
  id: Schema.optionalKey(Schema.Unknown),
  model: Schema.String,
  answers: Schema.Record(Schema.String, Schema.Unknown),
  usage: Schema.Struct({ ...Usage.fields, cost: Schema.optionalKey(Schema.Unknown) })
})
// Compiled, because every request needs it.
SchemaJITCompiler.enable(Response.ast)
const decodeResponse = Schema.decodeUnknownOption(Response)

/** A longer text is omitted, so that records stay small. */
const isShortText = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && id.length <= 256

/** The failure for an invalid Decisions response, with the usage that it reports. */
const toReplyFailure = (json: unknown): UpstreamFailure => {
  const parsedUsage = Option.getOrUndefined(decodeUsage(json))
  const usage = parsedUsage === undefined ? undefined : { usage: toTokenUsage(parsedUsage) }
  const error = findErrorMessage(json)
  if (error !== undefined) {
    return new UpstreamFailure({ kind: "server_error", detail: error, ...usage })
  }
  const detail = Option.isSome(decodeContent(json))
    ? "the answer states no usage"
    : "the answer is no Decisions response"
  return new UpstreamFailure({ kind: "invalid_answer", detail, ...usage })
}

const decodeUsage = Schema.decodeUnknownOption(Schema.Struct({ usage: Usage }))

const decodeContent = Schema.decodeUnknownOption(
  Schema.Struct({ model: Schema.String, answers: Schema.Record(Schema.String, Schema.Unknown) })
)
