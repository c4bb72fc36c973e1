import { assert, describe, it } from "vitest"
import * as Result from "effect/Result"
import { isRepeatable } from "../../../src/domains/chat/ChatWork.ts"
import {
  type NativeChat,
  parseChatRequest
} from "../../../src/domains/chat/request/parseChatRequest.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const parse = (fields: object) => {
  const text = JSON.stringify({
    model: "a/b",
    messages: [{ role: "user", content: "Hi" }],
    ...fields
  })
  return Result.getOrThrow(
    parseChatRequest(text, { bytes: text.length, settings: Settings.defaults })
  )
}
const ownTool = { type: "function", function: { name: "look" } }

describe("a chat", () => {
  it.each<[string, object]>([
    [
      "with the caller's own tools",
      { tools: [ownTool, { type: "custom", custom: { name: "x" } }] }
    ],
    ["that is not stored", { store: false }],
    ["with parameters of the model", { temperature: 0, max_tokens: 9 }]
  ])("%s may be sent twice", (_, fields) => {
    assert.isTrue(isRepeatable(parse(fields)))
  })

  it.each<[string, object]>([
    ["with a tool of the provider", { tools: [ownTool, { type: "openrouter:web_search" }] }],
    ["that is stored", { store: true }],
    ["in the background", { background: true }],
    ["with a web search", { web_search_options: {} }]
  ])("%s may not be sent twice", (_, fields) => {
    assert.isFalse(isRepeatable(parse(fields)))
  })

  it.each<[string, NativeChat, boolean]>([
    ["a tool of the caller", { dialect: "messages", body: { tools: [{ name: "look" }] } }, true],
    [
      "a tool of the provider",
      { dialect: "messages", body: { tools: [{ type: "web_search_1" }] } },
      false
    ],
    ["something of its API only", { dialect: "messages", body: {}, neededAt: "tools.0" }, false],
    ["an answer to store", { dialect: "responses", body: { store: true } }, false],
    ["a function", { dialect: "responses", body: { tools: [{ type: "function" }] } }, true]
  ])("by another API, with %s", (_, native, expected) => {
    assert.strictEqual(isRepeatable({ ...parse({}), native }), expected)
  })
})
