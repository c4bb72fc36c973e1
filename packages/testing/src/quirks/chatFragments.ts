/** Answers in the chat dialect, written the short way. */
import type { ServerSentEvent } from "../ServerSentEvent.ts"
import type { Json } from "./Quirk.ts"

const envelope = { id: "chatcmpl-1", created: 1_700_000_000, model: "acme" }

export const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }

export const chatAnswer = (
  message: Json,
  finish: string | null = "stop",
  rest: Json = {}
): Json => ({
  ...envelope,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  usage,
  ...rest
})

export const chunk = (
  delta: Json,
  finish: string | null = null,
  rest: Json = {}
): ServerSentEvent => ({
  data: {
    ...envelope,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest
  }
})

export const usageChunk: ServerSentEvent = {
  data: { ...envelope, object: "chat.completion.chunk", choices: [], usage }
}

export const done: ServerSentEvent = { data: "[DONE]" }

/** The deltas, a finish reason, the usage, and the end. */
export const chatStream = (
  deltas: ReadonlyArray<Json>,
  finish: string | null = "stop"
): ReadonlyArray<ServerSentEvent> => [
  chunk({ role: "assistant", content: "" }),
  ...deltas.map((delta) => chunk(delta)),
  chunk({}, finish),
  usageChunk,
  done
]

export const call = (id: string | undefined, text: unknown, name = "look"): Json => ({
  ...(id === undefined ? undefined : { id }),
  type: "function",
  function: { name, arguments: text }
})

/** The tool of the rows, and what its calls say. */
export const east = '{"at":"east"}'
export const west = '{"at":"west"}'
export const lookEast = { name: "look", arguments: { at: "east" } }
export const lookWest = { name: "look", arguments: { at: "west" } }
