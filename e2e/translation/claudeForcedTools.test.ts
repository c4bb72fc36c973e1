/** A forced call reaches a Claude that refuses it beside thinking, and the response reports the reduced thinking. */
import { anthropic } from "@signalbox/anthropic"
import { openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { getProperty } from "../support/getProperty.ts"
import { refuseForcedThinking } from "./claudeRefusals.ts"
import { asks, type Inbound, listIgnored } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const claude = (model: string): StrictProvider => ({
  makeUpstream: (url) => anthropic({ baseUrl: url, apiKey: "sk-host" }),
  model
})

const parameters = { type: "object", properties: {} }

/** A tool, the choice of it, and a wish to think, in the words of each API. */
const wishes: Readonly<Record<Inbound["name"], (choice: "named" | "required") => Json>> = {
  chat: (choice) => ({
    tools: [{ type: "function", function: { name: "look", parameters } }],
    tool_choice: choice === "named" ? { type: "function", function: { name: "look" } } : "required",
    reasoning: { effort: "high" }
  }),
  messages: (choice) => ({
    max_tokens: 4_000,
    tools: [{ name: "look", input_schema: parameters }],
    tool_choice: choice === "named" ? { type: "tool", name: "look" } : { type: "any" },
    thinking: { type: "adaptive" },
    output_config: { effort: "high" }
  }),
  responses: (choice) => ({
    tools: [{ type: "function", name: "look", parameters, strict: false }],
    tool_choice: choice === "named" ? { type: "function", name: "look" } : "required",
    reasoning: { effort: "high", summary: "auto" }
  })
}

const hi: ReadonlyArray<Json> = [{ role: "user", content: "Hi." }]
const models = [
  "claude-opus-4-6",
  "us.anthropic.claude-sonnet-4-6",
  "claude-opus-4-7",
  "claude-sonnet-4-5"
]

describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path, toBody }) => {
  describe.each(["named", "required"] as const)("a %s tool", (choice) => {
    test.each(models)("is forced at %s, which then does not think", async (model) => {
      await using server = await StrictServer.start({
        providers: [claude(model)],
        refuse: refuseForcedThinking
      })
      const answer = await server.ask(path, { ...toBody(hi), ...wishes[name](choice) }, isStreamed)
      expect(answer.status).toBe(200)
      expect(server.requests).toHaveLength(1)
      expect(server.sent["tool_choice"]).toMatchObject({
        type: choice === "named" ? "tool" : "any"
      })
      expect(listIgnored(answer)).toContainEqual(expect.stringMatching(/^(?:reasoning|thinking)$/))
    })

    test.each(["claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"])(
      "is forced beside adaptive thinking at %s, which takes both",
      async (model) => {
        await using server = await StrictServer.start({
          providers: [claude(model)],
          refuse: () => undefined
        })
        const body = { ...toBody(hi), ...wishes[name](choice) }
        const answer = await server.ask(path, body, isStreamed)
        expect(answer.status).toBe(200)
        expect(getProperty(server.sent["thinking"], "type")).toBe("adaptive")
        expect(listIgnored(answer)).not.toContainEqual(expect.stringMatching(/reasoning|thinking/))
      }
    )

    test("goes to another endpoint than one that never forces calls", async () => {
      await using server = await StrictServer.start({
        providers: [
          claude("claude-opus-5-5"),
          {
            makeUpstream: (url) =>
              openai({ slug: "other", baseUrl: `${url}/v1`, apiKey: "sk-host" }),
            model: "acme"
          }
        ],
        refuse: (_, dialect) =>
          dialect === "messages" ? "tool_choice: forced tool use is not supported" : undefined
      })
      const body = { ...toBody(hi), ...wishes[name](choice) }
      const answer = await server.ask(path, body, isStreamed)
      expect(answer.status).toBe(200)
      expect(server.requests).toHaveLength(1)
    })

    test("is a 400 that names the field where all endpoints never force calls", async () => {
      await using server = await StrictServer.start({
        providers: [claude("claude-opus-5-5")],
        refuse: () => "tool_choice: forced tool use is not supported"
      })
      const body = { ...toBody(hi), ...wishes[name](choice) }
      const answer = await server.ask(path, body, isStreamed)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("tool_choice")])
      expect(server.requests).toHaveLength(0)
    })
  })
})

test.each([
  [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, "claude-opus-4-7", "adaptive"],
  [{ thinking: { type: "adaptive" } }, "claude-sonnet-4-5", "enabled"],
  [{ thinking: { type: "disabled" } }, "claude-opus-5-5", undefined]
])(
  "Messages with %j reach %s in a form of thinking that it takes",
  async (wish, model, thinking) => {
    await using server = await StrictServer.start({
      providers: [claude(model)],
      refuse: ({ thinking: sent }) =>
        getProperty(sent, "type") === wish.thinking.type
          ? `thinking: type "${wish.thinking.type}" is not supported by this model`
          : undefined
    })
    const hello = { max_tokens: 8_000, messages: [{ role: "user", content: "Hi." }] }
    const answer = await server.ask("/messages", { ...hello, ...wish }, false)
    expect(answer.status).toBe(200)
    expect(getProperty(server.sent["thinking"], "type")).toBe(thinking)
    expect(listIgnored(answer)).toEqual(["thinking"])
  }
)

test.each([
  ["xhigh", "claude-opus-4-6", "high"],
  ["max", "claude-opus-4-5", "high"],
  ["xhigh", "claude-opus-4-7", "xhigh"],
  ["low", "claude-haiku-4-5", undefined]
])("Messages with the effort %s reach %s with one that it knows", async (effort, model, known) => {
  await using server = await StrictServer.start({
    providers: [claude(model)],
    refuse: ({ output_config }) => {
      const sent = getProperty(output_config, "effort")
      return sent === known ? undefined : `output_config.effort: ${String(sent)} is not supported`
    }
  })
  const hello = { max_tokens: 8_000, messages: [{ role: "user", content: "Hi." }] }
  const answer = await server.ask("/messages", { ...hello, output_config: { effort } }, false)
  expect(answer.status).toBe(200)
  expect(listIgnored(answer)).toEqual(effort === known ? [] : ["output_config.effort"])
})
