/**
 * A part of a message that only some chat servers know is passed on to these. Where another API cannot express it, the
 * response reports the loss.
 */
import { anthropic } from "@signalbox/anthropic"
import { google } from "@signalbox/google"
import { openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import { listIgnored } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const unknown = { type: "sticker", sticker: { name: "lighthouse" } }
const body = {
  messages: [{ role: "user", content: [{ type: "text", text: "What is this?" }, unknown] }]
}

const providers: ReadonlyArray<readonly [name: string, provider: StrictProvider, isTold: boolean]> =
  [
    [
      "a server of the chat API",
      {
        makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
        model: "acme"
      },
      false
    ],
    [
      "Claude",
      {
        makeUpstream: (url) => anthropic({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
        model: "claude-opus-4-8"
      },
      true
    ],
    [
      "Gemini",
      {
        makeUpstream: (url) => google({ baseUrl: `${url}/v1beta`, apiKey: "sk-host" }),
        model: "gemini-3-flash"
      },
      true
    ],
    [
      "OpenAI's Responses API",
      {
        makeUpstream: (url) =>
          openai({ baseUrl: `${url}/v1`, apiKey: "sk-host", api: "responses" }),
        model: "gpt-5"
      },
      true
    ]
  ]

describe.each(providers)("at %s", (_, provider, isTold) => {
  test.each([false, true])(
    "an unknown part is not lost in silence, streamed: %s",
    async (streamed) => {
      await using server = await StrictServer.start({
        providers: [provider],
        refuse: () => undefined
      })
      const answer = await server.ask("/chat/completions", body, streamed)
      const sent = JSON.stringify(server.requests.at(-1)?.json)
      expect([answer.status, listIgnored(answer), sent.includes("sticker")]).toEqual([
        200,
        isTold ? ["messages"] : [],
        !isTold
      ])
    }
  )
})
