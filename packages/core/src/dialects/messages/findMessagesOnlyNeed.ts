/** Finds the features of a request that only Anthropic's API has. */
import type { Conversation, Turn } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { getExtraFields } from "./messagesFields.ts"

/**
 * Why only an endpoint with Anthropic's API can serve the request; undefined: others can, without what they do not know.
 */
export const findMessagesOnlyNeed = (
  { extra, maxOutputTokens, tools }: Omit<Conversation, "turns">,
  turns: ReadonlyArray<Turn>
): UntranslatableRequest | undefined => {
  const fields = getExtraFields(extra)
  const field = neededFields.find((name) => Object.hasOwn(fields, name))
  if (field !== undefined) return toNeed([field])
  if (maxOutputTokens === 0) return toNeed(["max_tokens"])
  const tool = tools.findIndex((each) => each.type === "server" && each.dialect === "messages")
  if (tool !== -1) return toNeed(["tools", tool])
  return turns.some(changesTools) ? toNeed(["messages"]) : undefined
}

const changesTools = ({ parts }: Turn): boolean => parts.some(changesTool)

const changesTool = (part: Part): boolean =>
  part.type === "opaque" &&
  part.dialect === "messages" &&
  isObject(part.raw) &&
  (part.raw["type"] === "tool_addition" || part.raw["type"] === "tool_removal")

const neededFields: ReadonlyArray<string> = [
  "container",
  "diagnostics",
  "inference_geo",
  "mcp_servers"
]

const toNeed = (path: ReadonlyArray<number | string>) =>
  new UntranslatableRequest({ path, problem: "needs a provider with Anthropic's API" })
