/** What is cited when its text has ended already, such as behind a call, is not lost by the API of any caller. */
import { describe, expect, test } from "vitest"
import { geminiAnswer } from "../dialects/writeGemini.ts"
import { nativeUsage, type NativeAnswer } from "../dialects/NativeAnswer.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"
import { chatChunk, chatDone, chatUsageChunk } from "../dialects/writeChat.ts"
import { callers, startOddServer } from "./OddServer.ts"

const url = "https://tower.example/height"
const call = { id: "a", type: "function", function: { name: "look", arguments: '{"at":1}' } }
const annotations = [{ type: "url_citation", url_citation: { url, title: "Height" } }]
const groundingMetadata = {
  groundingChunks: [{ web: { uri: url, title: "Height" } }],
  groundingSupports: [
    { segment: { startIndex: 0, endIndex: 4, text: "High" }, groundingChunkIndices: [0] }
  ]
}

const answers: ReadonlyArray<readonly [provider: ProviderDialect, answer: NativeAnswer]> = [
  [
    "chat",
    {
      events: [
        chatChunk({ content: "High." }),
        chatChunk({ tool_calls: [{ index: 0, ...call }] }),
        chatChunk({ annotations }, "tool_calls"),
        chatUsageChunk(),
        chatDone
      ]
    }
  ],
  [
    "gemini",
    {
      events: [
        { data: geminiAnswer([{ text: "High." }]) },
        { data: geminiAnswer([{ functionCall: { name: "look", args: { at: 1 } } }]) },
        { data: { candidates: [{ groundingMetadata, index: 0 }] } },
        { data: geminiAnswer([], "STOP", nativeUsage) }
      ]
    }
  ]
]

describe.each(answers)("of the dialect %s", (provider, answer) => {
  test.each(callers.filter(({ isStreamed }) => isStreamed))("by the API $name", async (caller) => {
    const { ask } = await startOddServer()
    const { calls, content, error, text } = await ask(caller, answer, { provider })
    expect({ content, error }).toEqual({ content: "High.", error: undefined })
    expect(calls).toMatchObject([{ name: "look", arguments: '{"at":1}' }])
    expect(text).toContain(`"url":"${url}"`)
  })
})

describe.each(callers)("by the API $name (stream: $isStreamed)", (caller) => {
  // https://docs.perplexity.ai/api-reference/chat-completions-post
  test.each([
    ["as addresses", { citations: [url] }],
    ["with titles", { citations: [url], search_results: [{ title: "Height", url }] }]
  ])("pages that Perplexity lists beside the answer, %s, are cited", async (_, listed) => {
    const { ask } = await startOddServer()
    const { whole, events } = sayChat(listed)
    const { content, text } = await ask(caller, { whole, events })
    expect(content).toBe("High.[1]")
    expect(text.split(`"url":"${url}"`).length).toBeGreaterThan(1)
  })
})

const sayChat = (listed: object) => ({
  whole: {
    ...chatChunk({}).data,
    choices: [
      { index: 0, message: { role: "assistant", content: "High.[1]" }, finish_reason: "stop" }
    ],
    ...listed
  },
  events: [
    chatChunk({ content: "High." }, null, { ...listed }),
    chatChunk({ content: "[1]" }, null, { ...listed }),
    chatChunk({}, "stop", { ...listed }),
    chatUsageChunk(),
    chatDone
  ]
})
