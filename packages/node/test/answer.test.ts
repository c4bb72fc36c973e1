import { SignalboxError } from "@signalbox/core"
import type { AnswerPiece, Conversation } from "@signalbox/core/dialects"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import { end, makeDelta, startChatInstance } from "./startChatInstance.ts"

const conversation: Conversation = {
  turns: [{ role: "user", parts: [{ type: "text", text: "hello" }] }],
  tools: [],
  sampling: { temperature: 0.5 },
  stop: []
}
const fields = { model: "test/model" }
const speak = () => Stream.make(makeDelta("one "), makeDelta("two", "stop"), end)

it("answers a conversation with its parts", async () => {
  const { instance } = await startChatInstance(speak)
  expect(await instance.answer(conversation, fields)).toMatchObject({
    model: "test/model",
    provider: "One",
    reply: { choices: [{ answer: { parts: [{ type: "text", text: "hello back" }] } }] },
    tokens: { inputTokens: 3, outputTokens: 2 },
    usage: { cost: 0.007 }
  })
})

it("streams the answer from its start to its end", async () => {
  const { instance } = await startChatInstance(speak)
  const pieces: Array<AnswerPiece> = []
  for await (const piece of instance.streamAnswer(conversation, fields)) pieces.push(piece)
  expect(pieces).toMatchObject([
    { type: "start", model: "test/model", provider: "One" },
    { type: "delta", choices: [{ events: [{ type: "text", text: "one " }] }] },
    { type: "delta", choices: [{ events: [{ text: "two" }], end: { reason: "stop" } }] },
    { type: "end", tokens: { inputTokens: 3, outputTokens: 2 }, usage: { cost: 0.007 } }
  ])
})

it.each([
  ["a misspelt preference", conversation, { ...fields, provider: { ordr: ["one"] } }, "ordr"],
  ["a list that is none", conversation, { ...fields, models: "test/model" }, "models"],
  ["no conversation", JSON.parse("{}"), fields, "conversation"],
  ["no turn", { ...conversation, turns: [] }, fields, "messages"]
])("refuses %s as over HTTP", async (_, asked, given, place) => {
  const { instance } = await startChatInstance(speak)
  const failure = await instance.answer(asked, given).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SignalboxError)
  expect(failure).toMatchObject({ status: 400, message: expect.stringContaining(place) })
})
