/** Parses an untrusted Decisions response into verdicts on the questions. */
import {
  type DecisionReply,
  type Questions,
  type TokenUsage,
  UpstreamFailure,
  type Verdict
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import { findErrorMessage } from "./findErrorMessage.ts"
import { isCount, isObject } from "./jsonChecks.ts"
import { parseCost } from "./parseCost.ts"
import { toVerdict } from "./toVerdict.ts"

/** The reply in `json`; a failure carries the usage that the response reports. */
export const parseDecisionReply = (
  questions: Questions,
  json: unknown
): Result.Result<DecisionReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toReplyFailure(json, undefined))
  const { answers, id, model } = json
  const usage = parseUsage(json["usage"])
  if (usage === undefined || typeof model !== "string" || !isObject(answers)) {
    return Result.fail(toReplyFailure(json, usage))
  }
  const fail = (detail: string) =>
    Result.fail(
      new UpstreamFailure({ kind: "invalid_answer", detail: detail.slice(0, detailLimit), usage })
    )

  const names = Object.keys(questions)
  if (Object.keys(answers).length !== names.length) {
    return fail("the answer does not have exactly the questions asked")
  }
  const verdicts = new Map<string, Verdict>()
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    const verdict = Object.hasOwn(answers, name)
      ? toVerdict(questions[name]!, answers[name])
      : "it is missing"
    if (typeof verdict === "string") return fail(`answer ${i + 1}: ${verdict}`)
    verdicts.set(name, verdict)
  }
  const reply: { -readonly [K in keyof DecisionReply]: DecisionReply[K] } = {
    verdicts,
    usage,
    method: "native",
    model
  }
  if (isShortText(id)) reply.id = id
  const cost = parseCost(isObject(json["usage"]) ? json["usage"]["cost"] : undefined)
  if (cost !== undefined) reply.cost = cost
  return Result.succeed(reply)
}

/** Truncated, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const parseUsage = (usage: unknown): TokenUsage | undefined => {
  if (!isObject(usage)) return undefined
  const { input_tokens, output_tokens } = usage
  return isCount(input_tokens) && isCount(output_tokens)
    ? { inputTokens: input_tokens, outputTokens: output_tokens }
    : undefined
}

/** A longer text is omitted, so that records stay small. */
const isShortText = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && id.length <= 256

/** The failure for an invalid Decisions response, with the usage that it reports. */
const toReplyFailure = (json: unknown, usage: TokenUsage | undefined): UpstreamFailure => {
  const reported = usage === undefined ? undefined : { usage }
  const error = findErrorMessage(json)
  if (error !== undefined) {
    return new UpstreamFailure({ kind: "server_error", detail: error, ...reported })
  }
  const hasContent =
    isObject(json) && typeof json["model"] === "string" && isObject(json["answers"])
  const detail = hasContent ? "the answer states no usage" : "the answer is no Decisions response"
  return new UpstreamFailure({ kind: "invalid_answer", detail, ...reported })
}
