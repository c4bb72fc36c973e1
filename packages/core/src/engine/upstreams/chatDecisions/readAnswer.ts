/** Reads what a Decision needs of the answer to a chat. */
import * as Result from "effect/Result"
import { isObject } from "../../../values/json/guards.ts"
import type { ChatReply } from "../ChatCapability.ts"
import { type FailureKind, UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { TopLogprob } from "./LabelWeights.ts"

/** The first choice of an answer. */
export interface TextAnswer {
  /** Empty if the message has no text. */
  readonly text: string
  /** Whether the answer ended at the token limit. */
  readonly isTruncated: boolean
  /** The most probable first tokens, if the provider sent them. */
  readonly firstTokenLogprobs: ReadonlyArray<TopLogprob> | undefined
}

/** Fails if the model or a content filter refused, or the content is not text. */
export const readAnswer = ({ choices }: ChatReply): Result.Result<TextAnswer, UpstreamFailure> => {
  const choice = choices[0]
  if (choice === undefined) return fail("invalid_answer", "the answer holds no choice")
  const { end, logprobs, parts } = choice.answer
  const content = choice.native?.["content"] ?? ""
  const refusal = parts.find((part) => part.type === "refusal")?.refusal ?? ""
  if (refusal !== "") return fail("content_refused", refusal)
  if (end.reason === "content_filter") {
    return fail("content_refused", "stopped by a content filter")
  }
  if (typeof content !== "string") {
    return fail("invalid_answer", "the content of the answer is not text")
  }
  return Result.succeed({
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    isTruncated: end.reason === "length",
    firstTokenLogprobs: findFirstTokenLogprobs(logprobs)
  })
}

const fail = (kind: FailureKind, detail: string): Result.Result<never, UpstreamFailure> =>
  Result.fail(new UpstreamFailure({ kind, detail: detail.slice(0, detailLimit) }))

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const findFirstTokenLogprobs = (logprobs: unknown): ReadonlyArray<TopLogprob> | undefined => {
  const content = isObject(logprobs) ? logprobs["content"] : undefined
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const candidates = isObject(first) ? first["top_logprobs"] : undefined
  return isTopLogprobs(candidates) ? candidates : undefined
}

const isTopLogprobs = (candidates: unknown): candidates is ReadonlyArray<TopLogprob> =>
  Array.isArray(candidates) && candidates.length > 0 && candidates.every(isTopLogprob)

const isTopLogprob = (candidate: unknown): boolean =>
  isObject(candidate) &&
  typeof candidate["token"] === "string" &&
  Number.isFinite(candidate["logprob"])
