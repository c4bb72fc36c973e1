/** The Responses API over HTTP, whole and streamed, at providers of every dialect. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { getProperty } from "../support/getProperty.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

const hosts = pickHosts(import.meta.filename)

const usage = { inputTokens: 10, outputTokens: 3 }
const calm = reply.chat(["It ", "is ", "calm."], { usage })
const price = { prompt: "0.001", completion: "0.01" }

const question = { instructions: "You keep a lighthouse.", input: "Is it calm at sea?" }

describe.each(hosts)("the Responses API, on $name", (host) => {
  test.each(providerDialects)("answers whole and streamed at a provider of %s", async (dialect) => {
    const server = await startResponsesServer({ host, price })
    server.providers[dialect].always(calm)
    const request = { model: `proof/${dialect}`, ...question }
    const whole = await server.ask(request)
    expect(whole.status).toBe(200)
    expect(whole.body).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: "response",
      status: "completed",
      model: `proof/${dialect}`,
      output: [
        {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "It is calm." }]
        }
      ],
      store: false,
      usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13, cost: 0.04, is_byok: false }
    })
    const streamed = await server.stream(request)
    expect(streamed.events.at(-1)).toMatchObject({
      type: "response.completed",
      response: { status: "completed", usage: { input_tokens: 10, output_tokens: 3, cost: 0.04 } }
    })
    for (const answer of [whole, streamed]) {
      const id = answer.headers["x-generation-id"]
      const response = answer === whole ? whole.body : streamed.events.at(-1)?.["response"]
      expect(getProperty(response, "id")).toBe(id?.replace("gen-", "resp_"))
      expect(await server.findRecord(id)).toMatchObject({
        operation: "chat",
        api: "responses",
        ...(answer === streamed ? { streamed: true } : undefined)
      })
    }
  })
})
