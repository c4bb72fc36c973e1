/** A chat that ends with the beginning of an answer passes over a Claude that refuses to continue it. */
import { anthropic } from "@signalbox/anthropic"
import { bedrock } from "@signalbox/bedrock"
import { openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { refuseBlankTexts, refusePrefill } from "./claudeRefusals.ts"
import { asks } from "./inbound.ts"
import { type Refusal, type StrictProvider, StrictServer } from "./StrictServer.ts"

const claude = (model: string, slug = "anthropic"): StrictProvider => ({
  makeUpstream: (url) => anthropic({ slug, baseUrl: url, apiKey: "sk-host" }),
  model
})

const refuse: Refusal = (body, dialect) =>
  dialect === "messages" ? (refuseBlankTexts(body) ?? refusePrefill(body)) : undefined

const begun: ReadonlyArray<Json> = [
  { role: "user", content: "Give me JSON." },
  { role: "assistant", content: "{" }
]
const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }

const refusing = [
  "claude-opus-4-6",
  "claude-sonnet-4-6",
  "claude-opus-4-7",
  "claude-opus-5",
  "claude-haiku-5-5",
  "claude-fable-5-1"
]

describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path, toBody }) => {
  test.each(refusing)("%s is passed over for a model that continues", async (model) => {
    await using server = await StrictServer.start({
      providers: [
        claude(model),
        {
          makeUpstream: (url) => openai({ slug: "other", baseUrl: `${url}/v1`, apiKey: "sk-host" }),
          model: "acme"
        }
      ],
      refuse
    })
    const answer = await server.ask(path, toBody(begun), isStreamed)
    expect(answer.status).toBe(200)
    expect(server.requests).toHaveLength(1)
    const record = await server.findRecord(answer)
    expect(record?.rejected.map(({ rule }) => rule)).toEqual(["prefill"])
  })

  test("without another model it is a 400 that says where", async () => {
    await using server = await StrictServer.start({
      providers: [claude("claude-opus-4-6")],
      refuse
    })
    const answer = await server.ask(path, toBody(begun), isStreamed)
    const place = name === "responses" ? "input.1" : "messages.1"
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(place)])
    expect(server.requests).toHaveLength(0)
  })

  test("a Claude before 4.6 continues", async () => {
    await using server = await StrictServer.start({
      providers: [claude("claude-opus-4-6"), claude("claude-sonnet-4-5", "older")],
      refuse: (body) => (body["model"] === "claude-sonnet-4-5" ? undefined : refusePrefill(body))
    })
    const answer = await server.ask(path, toBody(begun), isStreamed)
    expect([answer.status, server.sent["model"]]).toEqual([200, "claude-sonnet-4-5"])
  })

  test("a call without its result begins no answer", async () => {
    await using server = await StrictServer.start({
      providers: [claude("claude-opus-4-6")],
      refuse: () => undefined
    })
    const { status } = await server.ask(
      path,
      toBody([begun[0]!, { role: "assistant", content: "Let me look.", tool_calls: [call] }]),
      isStreamed
    )
    expect(status).toBe(200)
  })
})

test("Claude on Bedrock refuses it, too", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => bedrock({ region: "us-east-1", apiKey: "sk-host", baseUrl: url }),
        model: "us.anthropic.claude-opus-4-6-v1"
      }
    ],
    refuse
  })
  const answer = await server.ask("/chat/completions", { messages: begun }, false)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("messages.1")])
})
