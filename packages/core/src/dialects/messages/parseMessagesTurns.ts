/** Parses the system prompt and the messages of a request to Anthropic's API. */
import * as Result from "effect/Result"
import type { Turn } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"
import { failTranslation } from "../failTranslation.ts"
import type { RequestProblems } from "../RequestProblems.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { parseContent } from "./parseBlocks.ts"
import { isEmpty, omitFields, readList } from "../readField.ts"
import { toExtra } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Parsed<A> = Result.Result<A, UntranslatableRequest>

/** The system prompt is the first turn; its blocks stay apart. */
export const parseMessagesTurns = (body: Json, problems: RequestProblems): ReadonlyArray<Turn> => {
  const instructions = problems.take(parseContent(body["system"], ["system"])) ?? []
  const messages = problems.take(readList(body, "messages")) ?? []
  const turns: Array<Turn> =
    instructions.length === 0 ? [] : [{ role: "system", parts: instructions }]
  for (let index = 0; index < messages.length; index++) {
    turns.push(...(problems.take(parseMessage(messages[index], index)) ?? []))
  }
  return turns
}

const parseMessage = (message: unknown, index: number): Parsed<ReadonlyArray<Turn>> => {
  const path = ["messages", index]
  if (!isObject(message)) return failTranslation(path, "must be an object")
  const role = getRole(message["role"])
  if (role === undefined) {
    return failTranslation([...path, "role"], "must be user, assistant or system")
  }
  return Result.map(parseContent(message["content"], [...path, "content"]), (parts) => {
    const fields = omitFields(message, messageFields)
    const extra = isEmpty(fields) ? undefined : { extra: toExtra(fields) }
    return splitResults(role, parts).map((turn) => Object.assign(turn, extra))
  })
}

const messageFields: ReadonlySet<string> = new Set(["role", "content"])

const getRole = (role: unknown): "assistant" | "system" | "user" | undefined =>
  role === "user" || role === "assistant" || role === "system" ? role : undefined

/** Results are a turn of their own, which comes first: the API accepts no other order. */
const splitResults = (
  role: "assistant" | "system" | "user",
  parts: ReadonlyArray<Part>
): ReadonlyArray<Turn> => {
  const results = parts.filter(({ type }) => type === "result")
  if (results.length === 0) return [{ role, parts }]
  const others = parts.filter(({ type }) => type !== "result")
  return [
    { role: "tool", parts: results },
    ...(others.length === 0 ? [] : [{ role, parts: others }])
  ]
}
