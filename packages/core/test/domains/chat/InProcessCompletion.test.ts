import { assert, describe, it } from "vitest"
import { toChatCompletion } from "../../../src/domains/chat/ChatAnswer.ts"
import { toInProcessCompletion } from "../../../src/domains/chat/chat.ts"

type Answer = Parameters<typeof toInProcessCompletion>[0]

/** An answer whose messages are passed on as the provider wrote them. */
const makeAnswer = (...contents: ReadonlyArray<unknown>) =>
  ({
    id: "gen-1",
    model: "acme/talker",
    provider: "Acme",
    startedAt: 5_000,
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    reply: {
      choices: contents.map((content, index) => ({
        index,
        native: { role: "assistant", content },
        answer: { parts: [], end: { reason: "stop" } }
      }))
    }
  }) as unknown as Answer

const readText = (...contents: ReadonlyArray<unknown>) =>
  toInProcessCompletion(makeAnswer(...contents)).text

describe("toInProcessCompletion", () => {
  it("has the text of the first choice", () => {
    assert.strictEqual(readText("It is calm.", "It is rough."), "It is calm.")
  })

  it("joins the parts that are text", () => {
    const image = { type: "image_url", image_url: { url: "data:," } }
    assert.strictEqual(
      readText([{ type: "text", text: "It " }, image, { type: "text", text: "is calm." }]),
      "It is calm."
    )
  })

  it("has an empty text where the model says none", () => {
    assert.deepStrictEqual([readText(null), readText()], ["", ""])
  })

  it("is the answer of the HTTP API to everything that writes it", () => {
    const answer = makeAnswer("It is calm.")
    const completion = toInProcessCompletion(answer)
    assert.deepStrictEqual({ ...completion }, toChatCompletion(answer))
    assert.strictEqual(JSON.stringify(completion), JSON.stringify(toChatCompletion(answer)))
  })
})
