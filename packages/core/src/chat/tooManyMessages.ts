/** Whether a chat holds more messages, parts of one or tools than it may. */
import * as Predicate from "effect/Predicate"
import type { SettingsShape } from "../Settings.ts"
import type { InvalidRequest } from "../values/RequestErrors.ts"
import { tooMany } from "../values/tooMany.ts"

export const tooManyMessages = (
  messages: unknown,
  settings: SettingsShape
): InvalidRequest | undefined => {
  if (!Array.isArray(messages)) return undefined
  const problem = tooMany(messages.length, "maxMessages", settings, ["messages"])
  if (problem !== undefined) return problem
  for (const [index, message] of messages.entries()) {
    const content: unknown = Predicate.isObject(message) ? message["content"] : undefined
    if (!Array.isArray(content)) continue
    const path = ["messages", index, "content"]
    const found = tooMany(content.length, "maxContentParts", settings, path)
    if (found !== undefined) return found
  }
  return undefined
}

export const tooManyTools = (tools: unknown, settings: SettingsShape): InvalidRequest | undefined =>
  Array.isArray(tools) ? tooMany(tools.length, "maxTools", settings, ["tools"]) : undefined
