/** A call whose arguments broke off does not end a conversation with providers that have arguments as objects. */
import { anthropic } from "@signalbox/anthropic"
import { google } from "@signalbox/google"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { asks, listIgnored } from "./inbound.ts"
import { StrictServer, type StrictProvider } from "./StrictServer.ts"

const providers: Readonly<Record<string, StrictProvider>> = {
  claude: {
    makeUpstream: (url) => anthropic({ baseUrl: url, apiKey: "sk-host" }),
    model: "claude-opus-4-8"
  },
  gemini: {
    makeUpstream: (url) => google({ baseUrl: `${url}/v1beta`, apiKey: "sk-host" }),
    model: "gemini-3-flash"
  }
}

/** The inputs of calls in the body of either. */
const findInputs = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.flatMap(findInputs)
  if (typeof value !== "object" || value === null) return []
  const found: Json = Object(value)
  if (found["type"] === "tool_use") return [found["input"]]
  if (found["functionCall"] !== undefined) return [Object(found["functionCall"]).args]
  return Object.values(found).flatMap(findInputs)
}

/** In the words of Messages, where arguments are an object, but for clients that keep what broke off as its text. */
const withArguments = (name: string, body: Json, given: string): Json =>
  JSON.parse(
    name === "messages"
      ? JSON.stringify(body).replace('"input":{}', () => `"input":${JSON.stringify(given)}`)
      : JSON.stringify(body).replace(
          '"arguments":"{}"',
          () => `"arguments":${JSON.stringify(given)}`
        )
  )

describe.each(Object.entries(providers))("at %s", (_, provider) => {
  describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path, toBody }) => {
    test.each([
      ['{"path":"a.t', { invalid_arguments: '{"path":"a.t' }],
      ['["a.txt"]', { invalid_arguments: '["a.txt"]' }],
      ["look at a.txt", { invalid_arguments: "look at a.txt" }],
      ["null", { invalid_arguments: "null" }],
      ['{"path":"a.txt"}', { path: "a.txt" }],
      ["", {}]
    ])("the arguments %j of an earlier call", async (given, input) => {
      await using server = await StrictServer.start({
        providers: [provider],
        refuse: (body) =>
          findInputs(body["messages"] ?? body["contents"]).every(
            (each) => typeof each === "object" && each !== null && !Array.isArray(each)
          )
            ? undefined
            : "messages.1.content.0.tool_use.input: Input should be a valid dictionary"
      })
      const body = toBody([
        { role: "user", content: "Read it." },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }
          ]
        },
        { role: "tool", tool_call_id: "call_1", content: "Error: no such arguments" },
        { role: "user", content: "Again." }
      ])
      const answer = await server.ask(path, withArguments(name, body, given), isStreamed)
      expect(answer.status).toBe(200)
      expect(findInputs(server.sent["messages"] ?? server.sent["contents"])).toEqual([input])
      const isWrapped = "invalid_arguments" in input
      // Anthropic also wants the tool of an earlier call declared.
      const changed = listIgnored(answer).filter((path) => path !== "tools")
      expect(changed.length === 1 || !isWrapped).toBe(true)
    })
  })
})
