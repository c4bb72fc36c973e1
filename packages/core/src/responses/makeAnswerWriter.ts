/** Writes answers of chats as responses, whole or as events, in the words of their provider where it has this API. */
import type { ChatAnswer, ChatEnd } from "../chat/ChatAnswer.ts"
import { type Json } from "../dialects/responses/fields.ts"
import {
  makeResponsesEventWriter,
  type ResponsesEventWriter
} from "../dialects/responses/makeResponsesEventWriter.ts"
import type { ResponseEnd, ResponseFacts } from "../dialects/responses/responseObject.ts"
import { writeResponsesAnswer } from "../dialects/responses/writeResponsesAnswer.ts"
import { omitUndefined } from "../values/omitUndefined.ts"
import { makeNativeEventWriter } from "./makeNativeEventWriter.ts"
import type { ResponsesChat } from "./parseResponsesChat.ts"
import { writeNativeResponse } from "./writeNativeResponse.ts"

/** What a chat and its streamed answer say of themselves. */
type AnswerHead = Pick<ResponseFacts, "created" | "id" | "model">

/** The id of the response is that of its generation, in the form that clients know. */
export const toResponseFacts = (
  { created, id, model }: AnswerHead,
  { request, tools }: ResponsesChat
): ResponseFacts => ({ created, id: id.replace(/^gen-/, "resp_"), model, request, tools })

/** `completedAt` in milliseconds since the epoch; absent: it is not complete. */
export const toResponseEnd = (
  { tokens, usage: { cost, is_byok } }: ChatEnd,
  { completedAt, metadata }: { readonly completedAt?: number; readonly metadata?: Json | undefined }
): ResponseEnd =>
  omitUndefined({
    usage: tokens,
    usageFields: omitUndefined({ cost, is_byok }),
    completed: completedAt === undefined ? undefined : completedAt / 1_000,
    responseFields: metadata
  })

export const writeWholeAnswer = (
  answer: ChatAnswer,
  chat: ResponsesChat,
  end: ResponseEnd
): Json => {
  const { reply, startedAt } = answer
  const facts = toResponseFacts({ ...answer, created: startedAt / 1_000 }, chat)
  return reply.native === undefined
    ? writeResponsesAnswer(reply, facts, end)
    : writeNativeResponse(reply.native, facts, end)
}

/** The first piece of an answer says whether its provider has this API. */
export const makeAnswerEventWriter = (
  facts: ResponseFacts
): Omit<ResponsesEventWriter, "start"> => {
  let chosen: ResponsesEventWriter | undefined
  const choose = (isNative: boolean): ResponsesEventWriter =>
    (chosen ??= isNative ? makeNativeEventWriter(facts) : makeResponsesEventWriter(facts))
  return {
    write: (event) => choose(event.native !== undefined).write(event),
    end: (end) => choose(false).end(end),
    fail: (error, end) => choose(false).fail(error, end)
  }
}
