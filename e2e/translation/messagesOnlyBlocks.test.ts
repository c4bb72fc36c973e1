/**
 * Content of a Messages block that other APIs cannot express is converted, reported or refused, but never lost
 * silently.
 */
import { google } from "@signalbox/google"
import { openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { listIgnored } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const png = "iVBORw0KGgo="
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } }
const text = (said: string) => ({ type: "text", text: said })

const providers: ReadonlyArray<readonly [name: string, provider: StrictProvider]> = [
  [
    "a server of the chat API",
    {
      makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
      model: "acme"
    }
  ],
  [
    "Gemini",
    {
      makeUpstream: (url) => google({ baseUrl: `${url}/v1beta`, apiKey: "sk-host" }),
      model: "gemini-3-flash"
    }
  ],
  [
    "OpenAI's Responses API",
    {
      makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host", api: "responses" }),
      model: "gpt-5"
    }
  ]
]

const say = (...content: ReadonlyArray<Json>): Json => ({
  max_tokens: 1_000,
  messages: [{ role: "user", content }]
})

const startAt = (provider: StrictProvider) =>
  StrictServer.start({ providers: [provider], refuse: () => undefined })

const inMessage = (document: Json) => say(document, text("Sum it up."))
const inResult = (document: Json): Json => ({
  max_tokens: 1_000,
  messages: [
    { role: "user", content: "Look." },
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [document] }] }
  ]
})
const places = [
  ["a message", inMessage],
  ["a result", inResult]
] as const

describe.each(providers)("at %s", (_, provider) => {
  describe.each([false, true])("streamed: %s", (isStreamed) => {
    test("a file in a container is refused, and the error names its place", async () => {
      await using server = await startAt(provider)
      const body = say(text("Sum it up."), { type: "container_upload", file_id: "file_1" })
      const answer = await server.ask("/messages", body, isStreamed)
      expect([answer.status, answer.text]).toEqual([
        400,
        expect.stringContaining("messages.0.content.1")
      ])
      expect(server.requests).toHaveLength(0)
    })

    test.each(places)("the pictures of a document in %s are shown", async (_, toBody) => {
      await using server = await startAt(provider)
      const document = {
        type: "document",
        title: "Report",
        source: { type: "content", content: [text("Before."), image, text("After.")] }
      }
      const answer = await server.ask("/messages", toBody(document), isStreamed)
      expect(answer.status).toBe(200)
      const sent = JSON.stringify(server.sent)
      expect(sent).toContain(png)
      expect(sent).toMatch(/Report.*Before\..*After\./)
    })

    test.each(
      [
        { type: "text", media_type: "text/plain", data: "Calm." },
        { type: "base64", media_type: "text/plain", data: btoa("Calm.") }
      ].flatMap((source) => places.map(([place, toBody]) => ({ ...source, place, source, toBody })))
    )("a document of $type in $place is said with what it is", async ({ source, toBody }) => {
      await using server = await startAt(provider)
      const body = toBody({ type: "document", title: "Log", context: "From the ship.", source })
      const answer = await server.ask("/messages", body, isStreamed)
      expect(answer.status).toBe(200)
      expect(JSON.stringify(server.sent)).toContain(String.raw`"Log\nFrom the ship.\nCalm."`)
      expect(listIgnored(answer)).toEqual([])
    })

    test("what a file is, is said before it", async () => {
      await using server = await startAt(provider)
      const source = { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQ=" }
      const document = { type: "document", context: "From the ship.", source }
      await server.ask("/messages", say(document), isStreamed)
      expect(JSON.stringify(server.sent)).toMatch(/From the ship\..*JVBERi0xLjQ=/)
    })

    test("blocks that only Anthropic knows are named", async () => {
      await using server = await startAt(provider)
      const answer = await server.ask(
        "/messages",
        {
          max_tokens: 1_000,
          messages: [
            { role: "user", content: "Search." },
            {
              role: "assistant",
              content: [
                text("Found."),
                { type: "server_tool_use", id: "s", name: "web_search", input: {} },
                { type: "web_search_tool_result", tool_use_id: "s", content: [] }
              ]
            },
            { role: "user", content: "So?" }
          ]
        },
        isStreamed
      )
      expect(answer.status).toBe(200)
      expect(listIgnored(answer)).toEqual(["messages.1.content.1", "messages.1.content.2"])
    })
  })
})
