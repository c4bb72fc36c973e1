/** What the refusals of the Messages API have in common. */
import { findValues } from "./Condition.ts"

export const invalid = (message: string) => ({
  type: "error",
  error: { type: "invalid_request_error", message },
  request_id: "req_1"
})

export const call = {
  id: "call_1",
  type: "function",
  function: { name: "look", arguments: '{"at":"east"}' }
}
export const question = { role: "user", content: "Is it calm at sea?" }

/** Claude 4.6 and later. */
export const since46 = /^claude-(?:(?:opus|sonnet|haiku)-4-[6-9]|[a-z]+-[5-9])/
/** Claude 4.7 and later. */
export const since47 = /^claude-(?:(?:opus|sonnet|haiku)-4-[7-9]|[a-z]+-[5-9])/
export const before46 = /^claude-(?:3|(?:opus|sonnet|haiku)-4-[0-5])/

export const listMessages = (body: unknown) =>
  findValues(body, "messages[]") as ReadonlyArray<{
    readonly role: string
    readonly content: unknown
  }>

export const idsOf = (message: unknown, type: string, name: string) =>
  findValues(message, `content[type=${type}].${name}`)
