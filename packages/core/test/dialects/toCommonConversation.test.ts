/** What of a request in one API every other one can be asked to say. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Conversation } from "../../src/conversation/Conversation.ts"
import type { Part } from "../../src/conversation/Part.ts"
import { toCommonConversation } from "../../src/dialects/toCommonConversation.ts"
import { wholeConversation } from "./arbitraries.ts"

const call = (name: string, namespace?: string): Part => ({
  type: "call",
  id: "c",
  name,
  arguments: "{}",
  ...(namespace === undefined ? undefined : { namespace })
})
const opaque = { type: "opaque", dialect: "messages", raw: { type: "container_upload" } } as const
const text = { type: "text", text: "Look." } as const

const foreign: Conversation = {
  turns: [
    { role: "user", parts: [text, opaque] },
    { role: "assistant", parts: [call("look", "sea"), call("look.up")] },
    { role: "tool", parts: [{ type: "result", callId: "c", content: [opaque, text] }] }
  ],
  tools: [
    { type: "function", name: "look", namespace: { name: "sea" } },
    { type: "function", name: "look.up" },
    { type: "server", dialect: "messages", raw: { type: "web_search_20250305" } }
  ],
  toolChoice: { type: "tool", name: "look", namespace: "sea" },
  format: { type: "opaque", dialect: "messages", raw: {} },
  sampling: {},
  stop: [],
  extra: { dialect: "messages", fields: { container: "c" } }
}

describe("toCommonConversation", () => {
  it("leaves a request alone that every API can say", () => {
    fc.assert(
      fc.property(wholeConversation, (said) => {
        assert.strictEqual(toCommonConversation(said), said)
      })
    )
  })

  it("leaves out what only the API of the caller knows, and names tools as answers do", () => {
    assert.deepStrictEqual(toCommonConversation(foreign), {
      turns: [
        { role: "user", parts: [text] },
        { role: "assistant", parts: [call("sea__look"), call("look_up")] },
        { role: "tool", parts: [{ type: "result", callId: "c", content: [text] }] }
      ],
      tools: [
        { type: "function", name: "sea__look" },
        { type: "function", name: "look_up" }
      ],
      toolChoice: { type: "tool", name: "sea__look" },
      sampling: {},
      stop: []
    })
  })

  it("keeps what only the chat API says, which its servers understand", () => {
    const raw = { type: "openrouter:web_search" }
    const said: Conversation = {
      ...foreign,
      turns: [{ role: "user", parts: [{ type: "opaque", dialect: "chat", raw }, opaque] }],
      tools: [{ type: "server", dialect: "chat", raw }],
      toolChoice: { type: "opaque", dialect: "chat", raw },
      format: { type: "opaque", dialect: "chat", raw },
      extra: { dialect: "chat", fields: { store: false } }
    }
    assert.deepStrictEqual(toCommonConversation(said), {
      ...said,
      turns: [{ role: "user", parts: [{ type: "opaque", dialect: "chat", raw }] }]
    })
  })
})
