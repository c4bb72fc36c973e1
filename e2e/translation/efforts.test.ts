/** An effort that a model does not know reaches it as the nearest that it knows, under the name that its endpoint takes. */
import { deepseek, fireworks, groq, openai, parameterLists, together, xai } from "@signalbox/openai"
import type { EndpointConfig, Upstream } from "@signalbox/core/upstream"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { getProperty } from "../support/getProperty.ts"
import { asks, type Inbound, listIgnored } from "./inbound.ts"
import { StrictServer } from "./StrictServer.ts"

const hi: ReadonlyArray<Json> = [{ role: "user", content: "Hi." }]

/** The same wish in the words of each API. */
const wish: Readonly<Record<Inbound["name"], (effort: string) => Json>> = {
  chat: (effort) => ({ reasoning: { effort } }),
  messages: (effort) =>
    effort === "none" ? { thinking: { type: "disabled" } } : { output_config: { effort } },
  responses: (effort) => ({ reasoning: { effort } })
}

/** What OpenAI answers: https://github.com/openai/openai-agents-python/issues/2089. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  "gpt-5": ["minimal", "low", "medium", "high"],
  "gpt-5-mini-2025-08-07": ["minimal", "low", "medium", "high"],
  "gpt-5-codex": ["low", "medium", "high"],
  "gpt-5-pro": ["high"],
  "gpt-5.1": ["none", "low", "medium", "high"],
  "gpt-5.1-codex-max": ["low", "medium", "high", "xhigh"],
  "gpt-5.2": ["none", "low", "medium", "high", "xhigh"],
  "gpt-5.2-pro": ["medium", "high", "xhigh"],
  "gpt-5.6-sol": ["none", "low", "medium", "high", "xhigh", "max"],
  o3: ["low", "medium", "high"],
  "o4-mini": ["low", "medium", "high"]
}

const rounded: ReadonlyArray<readonly [model: string, effort: string, sent: string]> = [
  ["gpt-5", "none", "minimal"],
  ["gpt-5", "xhigh", "high"],
  ["gpt-5-mini-2025-08-07", "max", "high"],
  ["gpt-5-codex", "minimal", "low"],
  ["gpt-5-pro", "low", "high"],
  ["gpt-5.1", "minimal", "low"],
  ["gpt-5.1", "none", "none"],
  ["gpt-5.1", "xhigh", "high"],
  ["gpt-5.1-codex-max", "max", "xhigh"],
  ["gpt-5.2", "max", "xhigh"],
  ["gpt-5.2-pro", "none", "medium"],
  ["gpt-5.6-sol", "max", "max"],
  ["o3", "none", "low"],
  ["o4-mini", "xhigh", "high"],
  ["o4-mini", "medium", "medium"]
]

const findEffort = ({ reasoning, reasoning_effort: effort }: Json): unknown =>
  effort ?? getProperty(reasoning, "effort")

const start = (
  makeUpstream: (url: string) => Upstream,
  model: string,
  endpoint: Partial<EndpointConfig> = {}
) =>
  StrictServer.start({
    providers: [{ makeUpstream, model, endpoint }],
    refuse: (body, dialect) => {
      const effort = findEffort(body)
      const name = dialect === "chat" ? "reasoning" : "reasoning_effort"
      if (body[name] !== undefined) return `Unrecognized request argument supplied: ${name}`
      const levels = known[model]
      return typeof effort === "string" && levels?.includes(effort) === false
        ? `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${levels.join(", ")}.`
        : undefined
    }
  })

describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path, toBody }) => {
  describe.each(["chat", "responses"] as const)("at OpenAI's API %s", (api) => {
    test.each(rounded)("%s with the effort %s gets %s", async (model, effort, sent) => {
      await using server = await start(
        (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host", api }),
        model
      )
      const answer = await server.ask(path, { ...toBody(hi), ...wish[name](effort) }, isStreamed)
      expect([answer.status, findEffort(server.sent)]).toEqual([200, sent])
      expect(listIgnored(answer).some((place) => place.startsWith("reasoning"))).toBe(
        effort !== sent
      )
    })

    test("a model that does not reason is not asked to", async () => {
      await using server = await start(
        (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host", api }),
        "gpt-4.1"
      )
      const answer = await server.ask(path, { ...toBody(hi), ...wish[name]("high") }, isStreamed)
      expect([answer.status, findEffort(server.sent)]).toEqual([200, undefined])
      expect(listIgnored(answer)).toContainEqual(expect.stringMatching(/^reasoning/))
    })

    test("the host says what a deployment takes", async () => {
      await using server = await start(
        (url) =>
          openai({
            baseUrl: `${url}/v1`,
            apiKey: "sk-host",
            api,
            models: { "our-thinker": { isReasoning: true, efforts: ["low"] } }
          }),
        "our-thinker"
      )
      const answer = await server.ask(path, { ...toBody(hi), ...wish[name]("high") }, isStreamed)
      expect([answer.status, findEffort(server.sent)]).toEqual([200, "low"])
    })
  })

  test.each([
    ["openaiReasoning", "reasoning_effort", "high"],
    ["openaiResponses", "reasoning_effort", "high"]
  ] as const)("the list %s names it %s", async (list, parameter, value) => {
    await using server = await start(
      (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
      "gpt-5",
      { supportedParameters: parameterLists[list] }
    )
    const answer = await server.ask(path, { ...toBody(hi), ...wish[name]("high") }, isStreamed)
    expect([answer.status, server.sent[parameter]]).toEqual([200, value])
    expect(listIgnored(answer)).not.toContainEqual(expect.stringMatching(/^reasoning/))
  })

  test.each([
    { supportedParameters: ["reasoning"], sent: { reasoning: { effort: "high" } } },
    { supportedParameters: ["reasoning_effort"], sent: { reasoning_effort: "high" } },
    { supportedParameters: ["thinking"], sent: { thinking: { type: "enabled" } } },
    { supportedParameters: ["reasoning_effort", "thinking"], sent: { reasoning_effort: "high" } }
  ])("a list of $supportedParameters decides the name", async ({ sent, supportedParameters }) => {
    await using server = await StrictServer.start({
      providers: [
        {
          makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
          model: "acme",
          endpoint: { supportedParameters }
        }
      ],
      refuse: (body) =>
        ["reasoning", "reasoning_effort", "thinking"].find(
          (each) => body[each] !== undefined && !supportedParameters.includes(each)
        )
    })
    const answer = await server.ask(path, { ...toBody(hi), ...wish[name]("high") }, isStreamed)
    expect(answer.status).toBe(200)
    expect(server.sent).toMatchObject(sent)
  })

  test.each([
    ["deepseek", deepseek, "high", { reasoning_effort: "high" }],
    ["deepseek", deepseek, "none", { thinking: { type: "disabled" } }],
    ["groq", groq, "high", { reasoning_effort: "high" }],
    ["fireworks", fireworks, "low", { reasoning_effort: "low" }],
    ["together", together, "none", { reasoning: expect.anything() }],
    ["xai", xai, "high", { reasoning_effort: "high" }]
  ] as const)("%s without a list gets its own name", async (_, makeUpstream, effort, sent) => {
    await using server = await StrictServer.start({
      providers: [
        {
          makeUpstream: (url) => makeUpstream({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
          model: "acme"
        }
      ],
      refuse: () => undefined
    })
    const answer = await server.ask(path, { ...toBody(hi), ...wish[name](effort) }, isStreamed)
    expect(answer.status).toBe(200)
    expect(server.sent).toMatchObject(sent)
  })
})

test("a Grok that has no efforts is not sent one", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => xai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
        model: "grok-4-fast-reasoning"
      }
    ],
    refuse: (body) =>
      findEffort(body) === undefined
        ? undefined
        : "Model grok-4-fast-reasoning does not support parameter reasoningEffort."
  })
  const answer = await server.ask(
    "/chat/completions",
    { messages: hi, reasoning_effort: "high" },
    false
  )
  expect([answer.status, listIgnored(answer)]).toEqual([200, ["reasoning_effort"]])
})
