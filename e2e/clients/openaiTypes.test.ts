/** Values typed by OpenAI's client are accepted in process without conversion. */
import type { ChatRequest } from "@signalbox/core/contract"
import type OpenAI from "openai"
import { expectTypeOf, it } from "vitest"

it("accepts the messages and tools of OpenAI's client", () => {
  expectTypeOf<OpenAI.Chat.ChatCompletionMessageParam>().toExtend<ChatRequest["messages"][number]>()
  expectTypeOf<OpenAI.Chat.ChatCompletionTool>().toExtend<
    NonNullable<ChatRequest["tools"]>[number]
  >()
  expectTypeOf<OpenAI.Chat.ChatCompletionToolChoiceOption>().toExtend<
    NonNullable<ChatRequest["tool_choice"]>
  >()
  expectTypeOf<OpenAI.Chat.ChatCompletionMessage>().toExtend<ChatRequest["messages"][number]>()
})
