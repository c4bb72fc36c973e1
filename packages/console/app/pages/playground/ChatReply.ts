/** What a model says in a chat, whole or as far as its stream has come. Pure. */
import { isJson, type Json } from "../route/request.ts"

export interface ChatReply {
  readonly id: string
  readonly provider: string
  readonly text: string
  readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: string }>
  /** USD; undefined until it is known. */
  readonly cost: number | undefined
  /** Why a stream that had begun broke off. */
  readonly problem: string | undefined
}

export const noReply: ChatReply = {
  id: "",
  provider: "",
  text: "",
  calls: [],
  cost: undefined,
  problem: undefined
}

/** Adds the data of an event of a stream, or a whole answer: both have the same fields but one. */
export const addToReply = (reply: ChatReply, data: unknown): ChatReply => {
  if (!isJson(data)) return reply
  const [choice] = Array.isArray(data["choices"]) ? data["choices"] : []
  const said = isJson(choice) ? (choice["delta"] ?? choice["message"]) : undefined
  const added = isJson(said) ? said : {}
  const { error, usage } = data
  return {
    id: toText(data["id"]) || reply.id,
    provider: toText(data["provider"]) || reply.provider,
    text: reply.text + toText(added["content"]),
    calls: addCalls(reply.calls, added["tool_calls"]),
    cost: isJson(usage) && typeof usage["cost"] === "number" ? usage["cost"] : reply.cost,
    problem: isJson(error) ? toText(error["message"]) || "The stream broke off." : reply.problem
  }
}

/** Whether the model has said anything yet. */
export const hasBegun = ({ calls, text }: ChatReply): boolean => text !== "" || calls.length > 0

/** A stream has the arguments of a call in pieces, each with the position of its call. */
const addCalls = (calls: ChatReply["calls"], added: unknown): ChatReply["calls"] => {
  if (!Array.isArray(added)) return calls
  const merged = [...calls]
  for (const [position, call] of added.filter(isJson).entries()) {
    const index = call["index"]
    const at = typeof index === "number" && index >= 0 && index <= merged.length ? index : position
    const described: Json = isJson(call["function"]) ? call["function"] : {}
    const known = merged[at]
    merged[at] = {
      name: (known?.name ?? "") + toText(described["name"]),
      arguments: (known?.arguments ?? "") + toText(described["arguments"])
    }
  }
  return merged
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "")
