/** Writes a whole answer as a response, in the words of its provider where that has this API. */
import type { Json } from "../../dialects/responses/fields.ts"
import {
  type ResponseEnd,
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../../dialects/responses/responseObject.ts"
import { writeResponsesAnswer } from "../../dialects/responses/writeAnswer.ts"
import { toTokenNames } from "../../dialects/toTokenNames.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined, setOwn } from "../../values/ownFields.ts"
import type { ChatAnswer, ChatEnd } from "../chat/ChatAnswer.ts"
import type { ResponseObject } from "./ResponseObject.ts"
import type { ResponsesChat } from "./parseResponsesChat.ts"

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

/** The items, the settings that applied, and everything that only this provider says are its own. */
export const writeNativeResponse = (native: Json, facts: ResponseFacts, end: ResponseEnd): Json => {
  const state: ResponseState = {
    status: native["status"] === "incomplete" ? "incomplete" : "completed",
    output: toList(native["output"]).filter(isObject),
    ...end
  }
  // In place: each copy of so many fields would be most of what writing them costs.
  const response = writeResponseObject(facts, state)
  addDetails(response.usage, native["usage"])
  for (const name in native) {
    const value = native[name]
    // Typed clients take null for few fields.
    if (value !== null && !routersFields.has(name)) setOwn(response, name, value)
  }
  return end.responseFields === undefined ? response : { ...response, ...end.responseFields }
}

/**
 * The provider's further details stay when they cover the whole request, not when attempts were summed. In an
 * implausible report only the capped count is replaced. The provider's cost differs from what is charged here.
 */
const addDetails = (usage: Record<string, unknown> | null, native: unknown): void => {
  if (usage === null || !isObject(native)) return
  const isSame =
    usage["reported"] !== undefined ||
    (usage["input_tokens"] === native["input_tokens"] &&
      usage["output_tokens"] === native["output_tokens"])
  if (!isSame) return
  mergeDetails(usage, native, "input_tokens_details")
  mergeDetails(usage, native, "output_tokens_details")
}

const mergeDetails = (usage: Record<string, unknown>, native: Json, name: string): void => {
  usage[name] = { ...toObject(native[name]), ...toObject(usage[name]) }
}

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Fields that the provider knows otherwise, that only stored responses have, or whose form typed clients check. */
const routersFields: ReadonlySet<string> = new Set([
  "background",
  "completed_at",
  "conversation",
  "created_at",
  "error",
  "id",
  "model",
  "object",
  "openrouter_metadata",
  "output",
  "previous_response_id",
  "provider",
  "service_metadata",
  "status",
  "store",
  "tool_choice",
  "tools",
  "usage",
  "user"
])
