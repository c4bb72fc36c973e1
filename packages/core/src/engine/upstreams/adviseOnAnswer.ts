/** Advises a host on upstreams whose answers still have the form of the chat API, as an earlier contract asked for. */
import { isObject, toList } from "../../values/json/guards.ts"

/** `value`: a whole answer or an event of a stream. Undefined: it is wrong in another way. */
export const adviseOnAnswer = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined
  for (const choice of toList(value["choices"])) {
    if (!isObject(choice)) continue
    if (isObject(choice["message"]) && choice["answer"] === undefined) return messageAdvice
    if (isObject(choice["delta"]) && choice["events"] === undefined) return deltaAdvice
  }
  return undefined
}

const messageAdvice =
  'its answer has `message` and `finishReason`: return `answer: { parts: [{ type: "text", text }], end: { reason } }` instead'

const deltaAdvice =
  'its event has `delta` and `finishReason`: emit `events: [{ type: "text", text }]` instead, and `end: { reason }` with the last of a choice'
