/** Writes the answer of a provider with the Responses API: its items and events as they are, the rest by the router. */
import type { NamedEvent } from "../dialects/NamedEvent.ts"
import { type Json, toList } from "../dialects/responses/fields.ts"
import {
  emitFailure,
  type ResponsesEventWriter
} from "../dialects/responses/makeResponsesEventWriter.ts"
import {
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../dialects/responses/responseObject.ts"
import { isObject } from "../values/json/isObject.ts"
import { NativeItems } from "./NativeItems.ts"
import { writeNativeResponse } from "./writeNativeResponse.ts"

/** The events that say how the response stands are the router's; those of the provider tell how it ends. */
export const makeNativeEventWriter = (facts: ResponseFacts): ResponsesEventWriter => {
  const items = new NativeItems()
  let pending: Array<NamedEvent> = []
  let sequence = 0
  let isStarted = false
  let isOver = false
  let last: Json = {}

  const emit = (type: string, fields: Json): void => {
    pending.push({ ...fields, type, sequence_number: sequence++ })
  }
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
  const finish = (response: Json): ReadonlyArray<NamedEvent> => {
    isOver = true
    emitFailure(response, emit)
    emit(`response.${String(response["status"])}`, { response })
    return flush()
  }
  const pass = (event: Json): void => {
    const { type } = event
    if (typeof type !== "string") return
    if (isObject(event["response"])) last = event["response"]
    if (routersEvents.has(type)) return
    items.add(type, event)
    emit(type, event)
  }

  return {
    start: () => {
      if (!isOver) begin()
      return flush()
    },
    write: ({ native = [] }) => {
      if (isOver) return []
      begin()
      for (const event of native) pass(event)
      return flush()
    },
    end: (end) => {
      if (isOver) return []
      begin()
      const output = toList(last["output"])
      const said = output.length > 0 ? last : { ...last, output: items.toJson() }
      return finish(writeNativeResponse(said, facts, end))
    },
    fail: (error, end) => {
      if (isOver) return []
      begin()
      const state: ResponseState = { status: "failed", error, output: items.toJson(), ...end }
      return finish(writeResponseObject(facts, state))
    }
  }
}

const routersEvents: ReadonlySet<string> = new Set([
  "error",
  "response.cancelled",
  "response.completed",
  "response.created",
  "response.failed",
  "response.in_progress",
  "response.incomplete",
  "response.queued"
])
