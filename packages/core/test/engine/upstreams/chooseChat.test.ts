import { makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import { assert, describe, it } from "vitest"
import type { ChatCapability } from "../../../src/engine/upstreams/ChatCapability.ts"
import { chooseChat } from "../../../src/engine/upstreams/completeChat.ts"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const makeChat = (
  tokens: number,
  reasoningFamily?: ChatCapability["reasoningFamily"]
): ChatCapability => ({
  complete: () => Effect.never,
  stream: () => Stream.empty,
  estimateWorstCase: () => ({ inputTokens: tokens, outputTokens: 0 }),
  ...(reasoningFamily === undefined ? undefined : { reasoningFamily })
})
const claude = makeChat(1, "anthropic")
const other = makeChat(2)
const mixed = makeChat(3, (model) => (model === "m/x" ? "xai" : undefined))

const callOf = (model: string) =>
  makeChatCall({
    model,
    messages: [],
    parameters: {},
    contentBytes: 0
  })

describe("chooseChat", () => {
  const chat = chooseChat((model) =>
    model.startsWith("claude") ? claude : model.startsWith("m/") ? mixed : other
  )
  const familyOf = (model: string) =>
    typeof chat.reasoningFamily === "function" ? chat.reasoningFamily(model) : assert.fail()

  it("asks the capability of the model", () => {
    const tokens = ["claude-5", "gpt", "m/x"].map(
      (model) => chat.estimateWorstCase(callOf(model)).inputTokens
    )
    assert.deepStrictEqual(tokens, [1, 2, 3])
    assert.strictEqual(chat.complete(callOf("gpt")), Effect.never)
    assert.strictEqual(chat.stream(callOf("gpt")), Stream.empty)
  })

  it("has the reasoning family of the model", () => {
    assert.deepStrictEqual(["claude-5", "gpt", "m/x", "m/y"].map(familyOf), [
      "anthropic",
      undefined,
      "xai",
      undefined
    ])
  })
})
