/** Writes a streamed chat answer as the server-sent events of OpenAI's Responses API. */
import type { ChatDelta, ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { NamedEvent } from "../NamedEvent.ts"
import { ResponseOutput } from "./ResponseOutput.ts"
import type { Json } from "./fields.ts"
import {
  type ResponseEnd,
  type ResponseError,
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "./responseObject.ts"

/** Each function returns events, in order. After the events of `end` and `fail`, only `[DONE]` follows. */
export interface ResponsesEventWriter {
  /** The first events; the other functions write them when this has not. */
  readonly start: () => ReadonlyArray<NamedEvent>
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<NamedEvent>
  /** The events of a complete answer. */
  readonly end: (end: ResponseEnd) => ReadonlyArray<NamedEvent>
  /** The events of an answer that broke off, with the items so far. */
  readonly fail: (error: ResponseError, end?: ResponseEnd) => ReadonlyArray<NamedEvent>
}

/** The API has one answer, so other choices are dropped. Its end is written when the usage is known. */
export const makeResponsesEventWriter = (facts: ResponseFacts): ResponsesEventWriter => {
  let pending: Array<NamedEvent> = []
  let sequence = 0
  let isStarted = false
  let isOver = false
  let finishReason: string | null = null
  let serviceTier: string | undefined

  const emit = (type: string, fields: Json): void => {
    pending.push({ type, sequence_number: sequence++, ...fields })
  }
  const output = new ResponseOutput(facts, emit)

  const flush = (): ReadonlyArray<NamedEvent> => {
    const events = pending
    pending = []
    return events
  }
  const begin = (): void => {
    if (isStarted) return
    isStarted = true
    const response = writeResponseObject(facts, { status: "in_progress", output: [] })
    emit("response.created", { response })
    emit("response.in_progress", { response })
  }
  const finish = (state: Omit<ResponseState, "omitted" | "output">): ReadonlyArray<NamedEvent> => {
    isOver = true
    const response = writeResponseObject(facts, {
      ...(serviceTier === undefined ? undefined : { serviceTier }),
      ...state,
      output: output.toJson(),
      omitted: output.omitted
    })
    emitFailure(response, emit)
    emit(`response.${state.status}`, { response })
    return flush()
  }

  return {
    start: () => {
      if (!isOver) begin()
      return flush()
    },
    write: (event) => {
      if (isOver) return []
      begin()
      serviceTier = event.serviceTier ?? serviceTier
      for (const choice of event.choices) {
        if (choice.index !== 0) continue
        addEvents(output, choice)
        finishReason = choice.end?.reason ?? finishReason
      }
      return flush()
    },
    end: (end) => {
      if (isOver) return []
      begin()
      if (finishReason === "error") {
        output.abandon()
        const error = { status: 502, message: "The provider reports an error." }
        return finish({ status: "failed", error, ...end })
      }
      const incompleteReason = toIncompleteReason(finishReason)
      output.close(incompleteReason !== undefined)
      return finish({
        status: incompleteReason === undefined ? "completed" : "incomplete",
        incompleteReason,
        ...end
      })
    },
    fail: (error, end) => {
      if (isOver) return []
      begin()
      output.abandon()
      return finish({ status: "failed", error, ...end })
    }
  }
}

/** Some clients take only this event for a failure, and others only the response that follows it. */
export const emitFailure = (
  { error, error_type }: Json,
  emit: (type: string, fields: Json) => void
): void => {
  if (!isObject(error)) return
  emit("error", { ...error, param: null, ...omitUndefined({ error_type }) })
}

/** Undefined for the reason of a complete answer. */
export const toIncompleteReason = (
  finishReason: string | null
): ResponseState["incompleteReason"] => {
  if (finishReason === "length") return "max_output_tokens"
  return finishReason === "content_filter" ? finishReason : undefined
}

const none: ReadonlyArray<unknown> = []

/** The probabilities of a piece belong to its text, which may be empty. */
const addEvents = (output: ResponseOutput, { events, logprobs }: ChatDelta): void => {
  const probabilities = isObject(logprobs) ? toList(logprobs["content"]) : none
  const text = events.find((event) => event.type === "text")
  if (text === undefined && probabilities.length > 0) {
    output.add({ type: "text", text: "" }, probabilities)
  }
  for (const event of events) output.add(event, event === text ? probabilities : none)
}
