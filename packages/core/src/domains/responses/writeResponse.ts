/** Writes a whole answer as a response, in the words of its provider where that has this API. */
import type { ChatAnswer, ChatEnd } from "../chat/ChatAnswer.ts"
import type { ResponseEnd, ResponseFacts } from "../../dialects/responses/responseObject.ts"
import { toTokenNames } from "../../dialects/toTokenNames.ts"
import { writeResponsesAnswer } from "../../dialects/responses/writeAnswer.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ResponsesChat } from "./parseResponsesChat.ts"
import type { ResponseObject } from "./ResponseObject.ts"
import { writeNativeResponse } from "./writeNativeResponse.ts"

/** The facts that are known when an answer is whole. */
export interface ResponseTime {
  /** Milliseconds since the epoch; absent: it broke off. */
  readonly completedAt?: number
  /** How it was routed, for callers that ask for it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export const writeResponse = (
  answer: ChatAnswer,
  chat: ResponsesChat,
  time: ResponseTime
): ResponseObject => {
  const { reply, startedAt } = answer
  const { id, model } = answer
  const facts = toResponseFacts({ id, model, created: startedAt / 1_000 }, chat)
  const end = toResponseEnd(answer, time)
  const response =
    reply.native === undefined
      ? writeResponsesAnswer(reply, facts, end)
      : writeNativeResponse(reply.native, facts, end)
  // Safe: both have every field of a response; items are passed through unchecked.
  return response as unknown as ResponseObject
}

/** The id of the response is derived from its generation's, in the form that clients know. */
export const toResponseFacts = (
  { created, id, model }: Pick<ResponseFacts, "created" | "id" | "model">,
  { request, tools }: Pick<ResponsesChat, "request" | "tools">
): ResponseFacts => ({ created, id: id.replace(/^gen-/, "resp_"), model, request, tools })

export const toResponseEnd = (
  { tokens, usage: { cost, is_byok, reported } }: ChatEnd,
  { completedAt, metadata }: ResponseTime
): ResponseEnd =>
  omitUndefined({
    usage: tokens,
    usageFields: omitUndefined({
      cost,
      is_byok,
      reported: reported === undefined ? undefined : toTokenNames(reported)
    }),
    completed: completedAt === undefined ? undefined : completedAt / 1_000,
    responseFields: metadata
  })
