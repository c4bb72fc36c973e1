/** The results of tools in the request that a provider received. */
import { getProperty } from "../support/getProperty.ts"
import type { ClientDialect } from "./startClientServer.ts"

/** The texts of results in order; each answers the call at the same place. */
export const listToolResults = (dialect: ClientDialect, body: unknown): ReadonlyArray<unknown> => {
  const items = list(getProperty(body, dialect === "responses" ? "input" : "messages"))
  const { calls, results } = collect[dialect](items)
  return calls.map((id) => results.find((result) => result.id === id)?.text)
}

interface Collected {
  readonly calls: ReadonlyArray<unknown>
  readonly results: ReadonlyArray<{ readonly id: unknown; readonly text: unknown }>
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const isType = (type: string) => (each: unknown) => getProperty(each, "type") === type

const collect: Readonly<Record<ClientDialect, (items: ReadonlyArray<unknown>) => Collected>> = {
  chat: (messages) => ({
    calls: messages
      .flatMap((message) => list(getProperty(message, "tool_calls")))
      .map((call) => getProperty(call, "id")),
    results: messages
      .filter((message) => getProperty(message, "role") === "tool")
      .map((message) => ({
        id: getProperty(message, "tool_call_id"),
        text: toText(getProperty(message, "content"))
      }))
  }),
  messages: (messages) => {
    const blocks = messages.flatMap((message) => list(getProperty(message, "content")))
    return {
      calls: blocks.filter(isType("tool_use")).map((call) => getProperty(call, "id")),
      results: blocks.filter(isType("tool_result")).map((result) => ({
        id: getProperty(result, "tool_use_id"),
        text: toText(getProperty(result, "content"))
      }))
    }
  },
  responses: (items) => ({
    calls: items.filter(isType("function_call")).map((call) => getProperty(call, "call_id")),
    results: items.filter(isType("function_call_output")).map((result) => ({
      id: getProperty(result, "call_id"),
      text: toText(getProperty(result, "output"))
    }))
  })
}

/** Text is a string, or parts. */
const toText = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => getProperty(part, "text")).join("") : content
