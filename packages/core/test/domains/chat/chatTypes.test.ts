/** The types of chats in process, checked by the compiler. */
import { describe, expectTypeOf, it } from "vitest"
import type { ChatChunk } from "../../../src/domains/chat/stream/ChatChunk.ts"
import type { ChatCompletion } from "../../../src/domains/chat/ChatCompletion.ts"
import type { ChatParameters } from "../../../src/domains/chat/request/ChatParameters.ts"
import type { ChatRequest } from "../../../src/domains/chat/request/ChatRequest.ts"
import type {
  ChatRequestMessage,
  ToolCall
} from "../../../src/domains/chat/request/ChatRequestMessage.ts"
import type { chatParameterNames } from "../../../src/engine/catalog/endpoint/SupportedParameters.ts"
import type { Signalbox } from "../../../src/Signalbox.ts"

const messages: ChatRequest["messages"] = [{ role: "user", content: "?" }]

const askMisspelt = (instance: Signalbox) => [
  instance.chat({ messages, temperature: 0, extra: { anything: true } }),
  // @ts-expect-error it is temperature
  instance.chat({ messages, temprature: 0 }),
  // @ts-expect-error it is max_tokens
  instance.streamChat({ messages, maxTokens: 5 }),
  // @ts-expect-error no such preference
  instance.chat({ messages, provider: { cheapest: true } }),
  // @ts-expect-error a text is no temperature
  instance.chat({ messages, temperature: "0" }),
  // @ts-expect-error it is json_schema
  instance.chat({ messages, response_format: { type: "json-schema" } }),
  // @ts-expect-error no such effort
  instance.chat({ messages, reasoning: { effort: "enormous" } }),
  // @ts-expect-error there is nothing to answer
  instance.chat({ model: "a/b" })
]

const askWithTools = (instance: Signalbox) => [
  instance.chat({
    messages,
    tools: [
      { type: "function", function: { name: "look", parameters: { type: "object" } } },
      { type: "openrouter:web_search" }
    ],
    tool_choice: { type: "function", function: { name: "look" } }
  }),
  // @ts-expect-error a function has a name
  instance.chat({ messages, tools: [{ type: "function", function: {} }] }),
  // @ts-expect-error it is auto, none or required
  instance.chat({ messages, tool_choice: "always" })
]

describe("the types of a chat", () => {
  it("reject a misspelt parameter", () => {
    expectTypeOf(askMisspelt).toBeFunction()
  })

  it("reject invalid messages", () => {
    const wrong: ReadonlyArray<ChatRequestMessage> = [
      // @ts-expect-error unknown role
      { role: "usr", content: "?" },
      // @ts-expect-error a tool answers a call
      { role: "tool", content: "7" },
      // @ts-expect-error it is image_url
      { role: "user", content: [{ type: "image", image_url: { url: "https://a.example/b.png" } }] },
      // @ts-expect-error the URL must be inside an object
      { role: "user", content: [{ type: "image_url", image_url: "https://a.example/b.png" }] }
    ]
    expectTypeOf(wrong).not.toBeAny()
  })

  it("reject invalid tools", () => {
    expectTypeOf(askWithTools).toBeFunction()
  })

  it("describe answers", () => {
    type Message = ChatCompletion["choices"][number]["message"]
    type Delta = ChatChunk["choices"][number]["delta"]
    expectTypeOf<Message["tool_calls"]>().toEqualTypeOf<ReadonlyArray<ToolCall> | undefined>()
    expectTypeOf<Delta["content"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<ChatCompletion["usage"]["cost"]>().toEqualTypeOf<number | undefined>()
    expectTypeOf<ChatCompletion["provider"]>().toBeString()
    // An answer goes back among the messages.
    expectTypeOf<Message>().toExtend<ChatRequestMessage>()
  })

  it("have the parameters of the catalog", () => {
    expectTypeOf<keyof ChatParameters>().toEqualTypeOf<(typeof chatParameterNames)[number]>()
  })
})
