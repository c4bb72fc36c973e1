/** Messages of Anthropic's API over HTTP, at providers of every API, on every host. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickHosts } from "../support/hosts.ts"
import { hello, MessagesServer, providers } from "./MessagesServer.ts"

const answer = reply.chat(["Let me ", "look."], {
  reasoning: "A tower, I think.",
  toolCalls: [{ id: "toolu_1", name: "look_up", arguments: '{"word":"lighthouse"}' }],
  usage: { inputTokens: 20, outputTokens: 9 }
})

const tools = [
  { name: "look_up", input_schema: { type: "object", properties: { word: { type: "string" } } } }
]

describe.each(pickHosts(import.meta.url))("on $name", (host) => {
  test.each(providers)("a message of %s is answered, whole and streamed", async (provider) => {
    await using server = await MessagesServer.start({ host, mount: "/deep/ai" })
    server.upstreams[provider].always(answer)
    const request = { ...hello, model: `proof/${provider}`, tools }
    const whole = await server.post(request)
    expect(whole.status).toBe(200)
    expect(whole.body).toMatchObject({
      type: "message",
      role: "assistant",
      model: `proof/${provider}`,
      provider,
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 9, cost: 0.000_325, is_byok: false }
    })
    expect(whole.headers["request-id"]).toBe(whole.headers["x-generation-id"])
    const { events, headers, status } = await server.stream(request)
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"])
    expect(events.at(-2)).toMatchObject({
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 20, output_tokens: 9, cost: 0.000_325 }
    })
    expect(await server.findRecord(headers["x-generation-id"])).toMatchObject({
      api: "messages",
      streamed: true
    })
  })
})
