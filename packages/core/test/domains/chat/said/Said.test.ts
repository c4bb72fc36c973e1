/** What a chat says is the same, whether its caller wrote messages or another API. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { SaidInMessages } from "../../../../src/domains/chat/said/SaidInMessages.ts"
import { SaidInTurns } from "../../../../src/domains/chat/said/SaidInTurns.ts"
import type { Conversation, Turn } from "../../../../src/conversation/Conversation.ts"
import type { Part } from "../../../../src/conversation/Part.ts"
import { writeChatRequest } from "../../../../src/dialects/chat/writeRequest.ts"
import { wholeConversation } from "../../../dialects/arbitraries.ts"

const toMessages = (said: Conversation) =>
  new SaidInMessages(writeChatRequest(said, { takesToolImages: true }).messages)

const toConversation = (...turns: ReadonlyArray<Turn>): Conversation => ({
  turns,
  tools: [],
  sampling: {},
  stop: []
})

const text = (said: string): Part => ({ type: "text", text: said })
const assistant = (...parts: ReadonlyArray<Part>): Turn => ({ role: "assistant", parts })
const user: Turn = { role: "user", parts: [text("Go on.")] }
const thought: Part = {
  type: "reasoning",
  format: "anthropic-claude-v1",
  text: "Hm.",
  signature: "s"
}
const call: Part = { type: "call", id: "c", name: "f", arguments: "{}" }
const result: Turn = { role: "tool", parts: [{ type: "result", callId: "c", content: [] }] }

const endings: ReadonlyArray<readonly [string, ReadonlyArray<Turn>]> = [
  ["a question", [user]],
  ["the beginning of an answer", [user, assistant(text("Well,"))]],
  ["white space", [user, assistant(text(" \n"))]],
  ["a beginning, then white space", [user, assistant(text("Well,")), assistant(text(" "))]],
  ["a thought alone", [user, assistant(thought)]],
  ["a thought and its text", [user, assistant(thought, text("Well,"))]],
  ["a call", [user, assistant(text("I look."), call)]],
  ["a result", [user, assistant(call), result]],
  ["a beginning behind a result", [user, assistant(call), result, assistant(text("So"))]]
]

describe("what is said in turns", () => {
  it("has as many messages and media as in messages", () => {
    fc.assert(
      fc.property(wholeConversation, (said) => {
        const [inTurns, inMessages] = [new SaidInTurns(said), toMessages(said)]
        assert.strictEqual(inTurns.countMessages(), inMessages.countMessages())
        assert.deepStrictEqual(
          inTurns.listMedia().map(({ type }) => type),
          inMessages.listMedia().map(({ type }) => type)
        )
      })
    )
  })

  it.each(endings)("continues the same message after %s", (_, turns) => {
    const said = toConversation(...turns)
    assert.strictEqual(new SaidInTurns(said).findPrefill(), toMessages(said).findPrefill())
  })

  it("is signed by the same families", () => {
    const google = { format: "google-gemini-v1", value: "g" }
    for (const parts of [
      [thought],
      [thought, text("Yes.")],
      [{ ...call, signature: google }],
      [{ type: "text" as const, text: "Yes.", signature: google }],
      [{ type: "reasoning" as const, format: "unknown", text: "Hm." }],
      [text("Yes.")]
    ]) {
      for (const said of [
        toConversation(user, assistant(...parts), user),
        toConversation(assistant(thought), user, assistant(...parts), user)
      ]) {
        assert.deepStrictEqual(
          new SaidInTurns(said).findReasoningFamilies(),
          toMessages(said).findReasoningFamilies()
        )
      }
    }
  })

  it("begins with the first instruction and the first other turn", () => {
    const system: Turn = { role: "system", parts: [text("Be brief.")] }
    assert.deepStrictEqual(new SaidInTurns(toConversation(system, user)).findOpener(), {
      instruction: { content: system.parts },
      first: { content: user.parts }
    })
    assert.deepStrictEqual(new SaidInTurns(toConversation(user)).findOpener(), {
      first: { content: user.parts }
    })
    assert.isUndefined(new SaidInTurns(toConversation(system)).findOpener())
  })

  it("counts a text document as the text that it is", () => {
    const source = { type: "base64", mediaType: "text/plain", data: "QQ==" } as const
    const said = toConversation({ role: "user", parts: [{ type: "file", source }] })
    assert.deepStrictEqual(new SaidInTurns(said).listMedia(), [])
  })
})
