/** Whether a chat holds more messages, parts of one or tools than it may. */
import * as Predicate from "effect/Predicate"
import type { SettingsShape } from "../Settings.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { findCountProblem } from "../values/validation/findCountProblem.ts"

export const findMessageCountProblem = (
  messages: unknown,
  settings: SettingsShape
): InvalidRequest | undefined => {
  if (!Array.isArray(messages)) return undefined
  const problem = findCountProblem(messages.length, "maxMessages", settings, ["messages"])
  if (problem !== undefined) return problem
  for (const [index, message] of messages.entries()) {
    const content: unknown = Predicate.isObject(message) ? message["content"] : undefined
    if (!Array.isArray(content)) continue
    const path = ["messages", index, "content"]
    const found = findCountProblem(content.length, "maxContentParts", settings, path)
    if (found !== undefined) return found
  }
  return undefined
}

export const findToolCountProblem = (
  tools: unknown,
  settings: SettingsShape
): InvalidRequest | undefined =>
  Array.isArray(tools) ? findCountProblem(tools.length, "maxTools", settings, ["tools"]) : undefined
