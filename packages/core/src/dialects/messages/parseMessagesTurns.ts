/** Parses the system prompt and the messages of a request to Anthropic's API. */
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { isEmpty, omitFields, readList, type RequestProblems } from "../UntranslatableRequest.ts"
import { parseContent } from "./parseBlocks.ts"
import { toExtra } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>

/** The system prompt is the first turn; its blocks stay apart. */
export const parseMessagesTurns = (body: Json, problems: RequestProblems): ReadonlyArray<Turn> => {
  const instructions = problems.take(parseContent(body["system"], ["system"])) ?? []
  const messages = problems.take(readList(body, "messages")) ?? []
  const turns: Array<Turn> =
    instructions.length === 0 ? [] : [{ role: "system", parts: instructions }]
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    const role = isObject(message) ? getRole(message["role"]) : undefined
    if (!isObject(message) || role === undefined) {
      if (isObject(message)) {
        problems.add(["messages", index, "role"], "must be user, assistant or system")
      } else problems.add(["messages", index], "must be an object")
      continue
    }
    const parts = problems.take(parseContent(message["content"], ["messages", index, "content"]))
    if (parts !== undefined) addTurns(turns, role, parts, parseFields(message))
  }
  return turns
}

const parseFields = (message: Json): Pick<Turn, "extra"> | undefined => {
  const fields = omitFields(message, messageFields)
  return isEmpty(fields) ? undefined : { extra: toExtra(fields) }
}

const messageFields: ReadonlySet<string> = new Set(["role", "content"])

export const getRole = (role: unknown): "assistant" | "system" | "user" | undefined =>
  role === "user" || role === "assistant" || role === "system" ? role : undefined

/** Results are a turn of their own, which comes first: the API accepts no other order. */
const addTurns = (
  turns: Array<Turn>,
  role: "assistant" | "system" | "user",
  parts: ReadonlyArray<Part>,
  extra: Pick<Turn, "extra"> | undefined
): void => {
  if (!parts.some(isResult)) {
    turns.push(extra === undefined ? { role, parts } : { role, parts, ...extra })
    return
  }
  turns.push({ role: "tool", parts: parts.filter(isResult), ...extra })
  const others = parts.filter((part) => !isResult(part))
  if (others.length > 0) turns.push({ role, parts: others, ...extra })
}

const isResult = ({ type }: Part): boolean => type === "result"
