/** Code that Gemini ran, what it cites, and its pictures reach the client of each API, or an error says that they cannot. */
import { describe, expect, test } from "vitest"
import { managementKey } from "../dialects/DialectServer.ts"
import { send } from "../support/send.ts"
import type { Json, NativeAnswer } from "../dialects/NativeAnswer.ts"
import { nativeUsage } from "../dialects/NativeAnswer.ts"
import { geminiAnswer, toGeminiUsage } from "../dialects/writeGemini.ts"
import { callers, startOddServer } from "./OddServer.ts"

const end = { data: geminiAnswer([], "STOP", nativeUsage) }

/** The same, whole and in an event for each part. */
const sayParts = (parts: ReadonlyArray<Json>): NativeAnswer => ({
  whole: geminiAnswer(parts, "STOP", nativeUsage),
  events: [...parts.map((part) => ({ data: geminiAnswer([part]) })), end]
})

const code = [
  { text: "Let me count. " },
  { executableCode: { language: "PYTHON", code: "print(6 * 7)" } },
  { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
  { text: "It is 42." }
]

const said = "Größe: the tower is 330 m high."
const cited = "the tower is 330 m high"
const start = new TextEncoder().encode("Größe: ").length
const groundingMetadata = {
  webSearchQueries: ["tower height"],
  groundingChunks: [
    { web: { uri: "https://tower.example/height", title: "Height" } },
    { web: { uri: "https://tower.example/other", title: "Other" } }
  ],
  groundingSupports: [
    {
      segment: { startIndex: start, endIndex: start + cited.length, text: cited },
      groundingChunkIndices: [0, 1]
    }
  ]
}

const ground = (metadata: Json): NativeAnswer => {
  const [candidate] = geminiAnswer([{ text: said }], "STOP")["candidates"] as ReadonlyArray<Json>
  const usageMetadata = toGeminiUsage(nativeUsage)
  return {
    whole: { candidates: [{ ...candidate, groundingMetadata: metadata }], usageMetadata },
    events: [
      { data: geminiAnswer([{ text: said.slice(0, 12) }]) },
      { data: geminiAnswer([{ text: said.slice(12) }]) },
      {
        data: {
          candidates: [{ index: 0, finishReason: "STOP", groundingMetadata: metadata }],
          usageMetadata
        }
      },
      // Said again with the usage.
      { data: { candidates: [{ index: 0, groundingMetadata: metadata }], usageMetadata } }
    ]
  }
}

describe.each(callers)("by the API $name (stream: $isStreamed)", (caller) => {
  test("code that ran and its output are said", async () => {
    const { ask } = await startOddServer()
    const { content } = await ask(caller, sayParts(code), { provider: "gemini" })
    expect(content).toBe("Let me count. \n```python\nprint(6 * 7)\n```\n\n```\n42\n```\nIt is 42.")
  })

  test("pages that ground an answer are cited", async () => {
    const { ask } = await startOddServer()
    const { content, text } = await ask(caller, ground(groundingMetadata), {
      provider: "gemini"
    })
    expect(content).toBe(said)
    expect(text.split("https://tower.example/height").length).toBeGreaterThan(1)
    expect(text).toContain("https://tower.example/other")
    expect(text).toContain('"title":"Height"')
  })

  test("pages without a place in the text are cited too", async () => {
    const { ask } = await startOddServer()
    const { groundingSupports: _, ...found } = groundingMetadata
    const { text } = await ask(caller, ground(found), { provider: "gemini" })
    expect(text).toContain("https://tower.example/height")
  })
})

test("a chat cites by the places of characters", async () => {
  const { ask } = await startOddServer()
  for (const caller of callers.filter(({ name }) => name === "chat")) {
    const { text } = await ask(caller, ground(groundingMetadata), {
      provider: "gemini"
    })
    const citations = Array.from(text.matchAll(/"url_citation":(\{.*?\})/g), ([, json = ""]) =>
      JSON.parse(json)
    )
    const place = {
      start_index: said.indexOf(cited),
      end_index: said.indexOf(cited) + cited.length
    }
    expect(citations).toEqual([
      { url: "https://tower.example/height", title: "Height", ...place },
      { url: "https://tower.example/other", title: "Other", ...place }
    ])
  }
})

test("citations of Gemini do not go to Claude with the next turn", async () => {
  const { ask } = await startOddServer()
  const caller = callers.find(({ isStreamed, name }) => name === "messages" && !isStreamed)!
  const first = await ask(caller, ground(groundingMetadata), { provider: "gemini" })
  const { content } = JSON.parse(first.text)
  expect(content).toMatchObject([
    {
      type: "text",
      text: said,
      citations: [
        {
          type: "web_search_result_location",
          url: "https://tower.example/height",
          title: "Height",
          encrypted_index: ""
        },
        { url: "https://tower.example/other" }
      ]
    }
  ])
  const { sent } = await ask(
    caller,
    { whole: { type: "message", role: "assistant", content: [{ type: "text", text: "Yes." }] } },
    {
      provider: "messages",
      request: {
        messages: [
          { role: "user", content: "How high is the tower?" },
          { role: "assistant", content },
          { role: "user", content: "Sure?" }
        ]
      }
    }
  )
  expect(sent["messages"]).toMatchObject([{}, { content: [{ type: "text", text: said }] }, {}])
  expect(JSON.stringify(sent)).not.toContain("encrypted_index")
})

const picture = { inlineData: { mimeType: "image/png", data: "cGljdHVyZQ==" } }

test("a picture reaches callers of Responses as that of OpenAI's own models", async () => {
  const { ask } = await startOddServer()
  for (const caller of callers.filter(({ name }) => name === "responses")) {
    for (const parts of [[picture], [{ text: "Here: " }, picture]]) {
      const { error, text } = await ask(caller, sayParts(parts), { provider: "gemini" })
      expect(error).toBeUndefined()
      expect(text).toContain('"type":"image_generation_call"')
      expect(text).toContain('"result":"cGljdHVyZQ=="')
    }
  }
})

test("a picture reaches callers of the chat API in images", async () => {
  const { ask } = await startOddServer()
  for (const caller of callers.filter(({ name }) => name === "chat")) {
    const { error, text } = await ask(caller, sayParts([picture]), { provider: "gemini" })
    expect(error).toBeUndefined()
    expect(text).toContain("data:image/png;base64,cGljdHVyZQ==")
  }
})

test("a picture alone is an error for callers of Messages, and costs nothing", async () => {
  const { ask, server } = await startOddServer()
  const { body: before } = await readUsage(server.root)
  for (const caller of callers.filter(({ name }) => name === "messages")) {
    const { error } = await ask(caller, sayParts([picture]), { provider: "gemini" })
    expect(error?.code).toBe(502)
    expect(error?.message).toContain("only media, which this API cannot carry")
  }
  const { body: after } = await readUsage(server.root)
  expect(after).toEqual(before)
})

const sound = { inlineData: { mimeType: "audio/wav", data: "c291bmQ=" } }

describe.each(
  [
    { api: "messages", part: picture, type: "image" },
    { api: "messages", part: sound, type: "audio" },
    { api: "responses", part: sound, type: "audio" }
  ].flatMap((row) =>
    callers.filter(({ name }) => name === row.api).map((caller) => ({ ...row, ...caller, caller }))
  )
)("$type by the API $name (stream: $isStreamed)", ({ caller, part, type }) => {
  test.each([[[{ text: "Here." }, part]], [[part, { text: "Here." }]]])(
    "beside a text it is reported to the caller and in the record",
    async (parts) => {
      const { ask, server } = await startOddServer()
      const { content, error, id, text } = await ask(caller, sayParts(parts), {
        provider: "gemini"
      })
      expect({ content, error }).toEqual({ content: "Here.", error: undefined })
      expect(text).toContain(`"omitted_content":["${type}"]`)
      const record = await server.findRecord(String(id))
      expect(record?.attempts[0]?.dropped).toEqual([`omitted_content.${type}`])
    }
  )

  test("alone it is an error", async () => {
    const { ask } = await startOddServer()
    const { error } = await ask(caller, sayParts([part]), { provider: "gemini" })
    expect(error?.message).toContain("only media, which this API cannot carry")
  })
})

const readUsage = (root: string) =>
  send(`${root}/api/v1/credits`, {
    method: "GET",
    headers: { authorization: `Bearer ${managementKey}` }
  })
