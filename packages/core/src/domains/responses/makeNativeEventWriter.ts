/** Writes the answer of a provider with the Responses API: its items and events as they are, the rest by the router. */
import type { NamedEvent } from "../../dialects/NamedEvent.ts"
import type { Json } from "../../dialects/responses/fields.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { emitFailure, type ResponsesEventWriter } from "../../dialects/responses/writeEvents.ts"
import {
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../../dialects/responses/responseObject.ts"
import { flatMapFew } from "../../values/flatMapFew.ts"
import { NativeItems } from "./NativeItems.ts"
import { writeNativeResponse } from "./writeNativeResponse.ts"

/** The router writes the events with the state of the response; the provider's own tell how it ends. */
export const makeNativeEventWriter = (facts: ResponseFacts): ResponsesEventWriter => {
  const items = new NativeItems()
  let sequence = 0
  let isStarted = false
  let isOver = false
  let last: Json = {}

  const toEvent = (type: string, fields: Json): NamedEvent => ({
    ...fields,
    type,
    sequence_number: sequence++
  })
  const begin = (): ReadonlyArray<NamedEvent> => {
    if (isStarted) return []
    isStarted = true
    const response = writeResponseObject(facts, { status: "in_progress", output: [] })
    return [
      toEvent("response.created", { response }),
      toEvent("response.in_progress", { response })
    ]
  }
  const finish = (response: Json): ReadonlyArray<NamedEvent> => {
    isOver = true
    const events: Array<NamedEvent> = []
    emitFailure(response, (type, fields) => events.push(toEvent(type, fields)))
    events.push(toEvent(`response.${String(response["status"])}`, { response }))
    return events
  }
  const pass = (event: Json): ReadonlyArray<NamedEvent> => {
    const { response, type } = event
    if (typeof type !== "string") return []
    if (isObject(response)) last = response
    if (routersEvents.has(type)) return []
    items.add(type, event)
    return [toEvent(type, event)]
  }

  return {
    start: () => (isOver ? [] : begin()),
    write: ({ native = [] }) => {
      if (isOver) return []
      return isStarted ? flatMapFew(native, pass) : [...begin(), ...native.flatMap(pass)]
    },
    end: (end) => {
      if (isOver) return []
      const begun = begin()
      const output = toList(last["output"])
      const said = output.length > 0 ? last : { ...last, output: items.toJson() }
      return [...begun, ...finish(writeNativeResponse(said, facts, end))]
    },
    fail: (error, end) => {
      if (isOver) return []
      const begun = begin()
      const state: ResponseState = { status: "failed", error, output: items.toJson(), ...end }
      return [...begun, ...finish(writeResponseObject(facts, state))]
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
