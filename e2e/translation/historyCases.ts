/** Earlier turns as callers of the chat API are known to write them, and what they mean. */
import type { Json } from "../dialects/NativeAnswer.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"

export interface HistoryCase {
  readonly name: string
  readonly call?: Json
  readonly result?: Json
  /** The arguments of the call as an object. Default: `{"at":1}`. */
  readonly args?: Json
  /** The text of the result. Default: `calm`. */
  readonly text?: string
  /** The providers that get it so; a server of the chat dialect may know more types of parts. Absent: all. */
  readonly isFor?: ReadonlyArray<ProviderDialect>
}

const look = (text: unknown) => ({ function: { name: "look", arguments: text } })

export const historyCases: ReadonlyArray<HistoryCase> = [
  // Clients of Ollama and llama.cpp send back what they got (https://github.com/bytedance/deer-flow/issues/4445).
  { name: "arguments that are an object", call: look({ at: 1 }) },
  { name: "arguments encoded twice", call: look(JSON.stringify('{"at":1}')) },
  { name: "arguments that are null", call: look(null), args: {} },
  { name: "no arguments", call: { function: { name: "look" } }, args: {} },
  {
    name: "a result that is an object",
    result: { content: { sea: "calm" } },
    text: '{"sea":"calm"}'
  },
  {
    name: "a result that is a list",
    result: { content: [{ id: 1 }, { id: 2 }] },
    text: '[{"id":1},{"id":2}]'
  },
  { name: "a result that is a list of numbers", result: { content: [1, 2] }, text: "[1,2]" },
  { name: "a result that is a number", result: { content: 7 }, text: "7" },
  { name: "a result that is true", result: { content: true }, text: "true" },
  {
    name: "a result with a part of an unknown type",
    result: { content: [{ type: "json", json: { sea: "calm" } }] },
    text: '{"type":"json","json":{"sea":"calm"}}',
    isFor: ["messages", "gemini", "responses"]
  },
  { name: "a result in a single part", result: { content: { type: "text", text: "calm" } } },
  {
    name: "a call without the object around it",
    call: { function: undefined, name: "look", arguments: { at: 1 } }
  },
  { name: "a call without an id", call: { id: undefined }, result: { tool_call_id: undefined } },
  { name: "an id that is null", call: { id: null }, result: { tool_call_id: null } },
  { name: "an empty id", call: { id: "" }, result: { tool_call_id: "" } },
  { name: "a number for an id", call: { id: 7 }, result: { tool_call_id: 7 } },
  { name: "a call without a type", call: { type: undefined } }
]
