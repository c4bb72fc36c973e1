import { assert, describe, it } from "vitest"
import { findUnmatchedResult } from "../../../src/domains/messages/parseMessagesChat.ts"

const call = (...ids: ReadonlyArray<string>) => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "f", input: {} }))
})
const result = (...ids: ReadonlyArray<string>) => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "1" }))
})
const say = { role: "user", content: "Hello." }

describe("findUnmatchedResult", () => {
  it.each([
    ["there are no results", [say]],
    ["the result follows its call", [say, call("a"), result("a")]],
    [
      "the results of two calls are in two messages",
      [say, call("a", "b"), result("b"), result("a")]
    ],
    ["calls in a row have their results after them", [say, call("a"), call("b"), result("a", "b")]],
    ["an id is used again later", [say, call("a"), result("a"), call("a"), result("a")]]
  ])("finds none where %s", (_, messages) => {
    assert.isUndefined(findUnmatchedResult(messages))
  })

  it.each([
    ["has no call", [say, result("a")], ["messages", 1, "content", 0]],
    ["has another id", [say, call("a"), result("b")], ["messages", 2, "content", 0]],
    ["precedes its call", [result("a"), call("a")], ["messages", 0, "content", 0]],
    [
      "comes after another answer",
      [say, call("a"), call("b"), result("b"), { role: "assistant", content: "So." }, result("a")],
      ["messages", 5, "content", 0]
    ],
    ["is the second one", [say, call("a"), result("a", "a")], ["messages", 2, "content", 1]],
    [
      "is said by the assistant",
      [say, { role: "assistant", content: [...call("a").content, ...result("a").content] }],
      ["messages", 1, "content", 1]
    ]
  ])("finds the result that %s", (_, messages, path) => {
    assert.deepStrictEqual(findUnmatchedResult(messages)?.path, path)
  })
})
