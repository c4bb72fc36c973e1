/** Adds the events of a streamed answer to the output of a response. */
import type { ChatDelta } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { ResponseOutput } from "./ResponseOutput.ts"

const none: ReadonlyArray<unknown> = []

/** The probabilities of a piece belong to its text, which may be empty. */
export const addEvents = (output: ResponseOutput, { events, logprobs }: ChatDelta): void => {
  const probabilities = isObject(logprobs) ? toList(logprobs["content"]) : none
  const text = events.find((event) => event.type === "text")
  if (text === undefined && probabilities.length > 0) {
    output.add({ type: "text", text: "" }, probabilities)
  }
  for (const event of events) output.add(event, event === text ? probabilities : none)
}
