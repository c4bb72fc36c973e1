/** Models that stand for others: what they choose, what holds for the chosen model, and what callers read of it. */
import { ChatOpenAI } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import type { ModelConfig } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { fault, ScriptedUpstream } from "@signalbox/testing"
import { generateText } from "ai"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { type Host, hosts, nodeHost } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { send } from "../support/send.ts"

const key = "sk-routers-member"
const managementKey = "sk-routers-management"
const free = { prompt: "0", completion: "0" }
const parameters = ["max_tokens", "temperature"]

const models: ReadonlyArray<ModelConfig> = [
  { id: "openrouter/free", router: { kind: "random", free: true } },
  { id: "acme/tools", router: { kind: "cheapest", parameters: ["tools"] }, aliases: ["handy"] },
  ...["a", "b", "c"].map((name) => ({
    id: `proof/${name}:free`,
    endpoints: [
      { provider: "one", price: free, supportedParameters: parameters, contextLength: 4_000 }
    ]
  })),
  {
    id: "proof/seeing:free",
    endpoints: [
      { provider: "one", price: free, supportedParameters: parameters, contextLength: 4_000 }
    ],
    card: { architecture: { input_modalities: ["text", "image"] } }
  },
  ...[
    ["cheap", "0.000001"],
    ["dear", "0.000005"]
  ].map(([name = "", prompt = ""]) => ({
    id: `proof/${name}`,
    endpoints: [
      {
        provider: "two",
        price: { prompt, completion: prompt },
        supportedParameters: [
          ...parameters,
          "tools",
          "response_format",
          "logprobs",
          "top_logprobs"
        ],
        contextLength: 100_000
      }
    ]
  }))
]

const start = async (host: Host = nodeHost) => {
  const [one, two] = [await ScriptedUpstream.start(), await ScriptedUpstream.start()]
  const instance = await Signalbox.make({
    upstreams: [
      openai({ slug: "one", name: "One", baseUrl: `${one.url}/v1`, apiKey: "sk-one" }),
      openai({ slug: "two", name: "Two", baseUrl: `${two.url}/v1`, apiKey: "sk-two" })
    ],
    models,
    keys: [
      { key, kind: "member", user: "ada" },
      { key: managementKey, kind: "management" }
    ]
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await Promise.all([one.close(), two.close()])
  })
  return { instance, one, root: `${running.origin}/ai`, two }
}

const messages = [{ role: "user" as const, content: "Is the lamp lit?" }]
const tools = [{ type: "function" as const, function: { name: "lamp", parameters: {} } }]

const post = (root: string, path: string, body: object, headers: Record<string, string> = {}) =>
  send(`${root}/api${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers }
  })

describe.each([hosts[1]!, hosts[2]!])("clients behind $name", (host) => {
  test("ask a router like any model, and read who answered", async () => {
    const { root } = await start(host)
    const baseURL = `${root}/api/v1`
    const answered = await makeClient({ root }, key).chat.send({
      chatRequest: { model: "openrouter/free", messages }
    })
    expect(getProperty(answered, "model")).toMatch(/^proof\/.*:free$/)
    const byOpenai = await new OpenAI({ apiKey: key, baseURL }).chat.completions.create({
      model: "acme/tools",
      messages,
      tools
    })
    expect(byOpenai.model).toBe("proof/cheap")
    const byAiSdk = await generateText({
      model: createOpenRouter({ apiKey: key, baseURL }).chat("acme/tools"),
      prompt: "Is the lamp lit?"
    })
    expect(byAiSdk.finalStep.response.modelId).toBe("proof/cheap")
    const byLangChain = await new ChatOpenAI({
      apiKey: key,
      model: "handy",
      configuration: { baseURL }
    }).invoke("Is the lamp lit?")
    expect(byLangChain.response_metadata["model_name"]).toBe("proof/cheap")
    const stream = await new OpenAI({ apiKey: key, baseURL }).chat.completions.create({
      model: "acme/tools",
      messages,
      stream: true
    })
    const named = new Set<string>()
    for await (const chunk of stream) named.add(chunk.model)
    expect(Array.from(named)).toEqual(["proof/cheap"])
  })
})

test("the other APIs and Decisions ask a router, too", async () => {
  const { root } = await start()
  const message = await post(root, "/v1/messages", { model: "acme/tools", max_tokens: 9, messages })
  expect([message.status, getProperty(message.body, "model")]).toEqual([200, "proof/cheap"])
  const response = await post(root, "/v1/responses", { model: "acme/tools", input: "Is it lit?" })
  expect([response.status, getProperty(response.body, "model")]).toEqual([200, "proof/cheap"])
  const decision = await post(root, "/alpha/decisions", {
    model: "acme/tools",
    state: "It is dark.",
    questions: { lit: { type: "noul", instructions: "Is it lit?" } }
  })
  expect([decision.status, getProperty(decision.body, "model")]).toEqual([200, "proof/cheap"])
})

test("a request for vectors is refused, because those of two models cannot be compared", async () => {
  const { root } = await start()
  const { body, status } = await post(root, "/v1/embeddings", {
    model: "openrouter/free",
    input: "?"
  })
  expect(status).toBe(400)
  expect(getProperty(getProperty(body, "error"), "message")).toBe(
    "openrouter/free cannot be used with the embeddings endpoint"
  )
})

test("the record, the price and the metadata are those of the chosen model", async () => {
  const { instance, root } = await start()
  const { body } = await post(
    root,
    "/v1/chat/completions",
    { model: "acme/tools", messages },
    { "X-OpenRouter-Metadata": "enabled" }
  )
  expect(getProperty(getProperty(body, "usage"), "cost")).toBeGreaterThan(0)
  expect(getProperty(body, "openrouter_metadata")).toMatchObject({
    requested: "acme/tools",
    strategy: "auto",
    ordered_by: "router:cheapest",
    routers: [
      {
        model: "acme/tools",
        chosen: "proof/cheap",
        candidates: 2,
        fitting: 2,
        reason: "proof/cheap is the cheapest available of 2 of 2 models that fit the request"
      }
    ]
  })
  const { data } = await instance.generations.get({ id: String(getProperty(body, "id")) })
  expect(data).toMatchObject({ model: "proof/cheap" })
  const asked = await post(
    root,
    "/v1/chat/completions",
    { model: "openrouter/free", messages },
    { "X-OpenRouter-Metadata": "enabled" }
  )
  expect(getProperty(getProperty(asked.body, "openrouter_metadata"), "strategy")).toBe("free")
  expect(getProperty(getProperty(asked.body, "usage"), "cost")).toBe(0)
})

test("a free model that fits is drawn: it reads images, and has room", async () => {
  const { instance } = await start()
  const seen = await instance.chat({
    model: "openrouter/free",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
        ]
      }
    ]
  })
  expect(seen.model).toBe("proof/seeing:free")
  const drawn = new Set<string>()
  for (let seed = 0; seed < 64; seed++) {
    const { ordered } = await instance.explain({ model: "openrouter/free", messages }, { seed })
    drawn.add(ordered[0]!.model)
    expect(new Set(ordered.map(({ model }) => model)).size).toBe(4)
  }
  expect(drawn.size).toBe(4)
})

test("the same seed draws the same model", async () => {
  const { instance } = await start()
  const request = { model: "openrouter/free", messages }
  const first = await instance.explain(request)
  const { health, seed } = first
  const again = await instance.explain(request, { health, seed })
  expect(again.ordered).toEqual(first.ordered)
  expect(again.routers).toEqual(first.routers)
})

test("a request that no model fits says what to relax", async () => {
  const { root } = await start()
  const { body, status } = await post(root, "/v1/chat/completions", {
    model: "openrouter/free",
    messages,
    tools
  })
  expect(status).toBe(404)
  expect(getProperty(getProperty(body, "error"), "message")).toContain("require_parameters (4)")
  const long = await post(root, "/v1/chat/completions", {
    model: "openrouter/free",
    messages: [{ role: "user", content: "lamp ".repeat(10_000) }]
  })
  expect(long.status).toBe(400)
  expect(getProperty(getProperty(long.body, "error"), "message")).toContain(
    "maximum context length is 4000"
  )
})

test("when the chosen model fails, the next one answers", async () => {
  const { instance, two } = await start()
  two.forModel("proof/cheap").always(fault.status(503))
  const answer = await instance.chat({ model: "acme/tools", messages })
  expect(answer.model).toBe("proof/dear")
})

test("a router serves as a fallback of a model, and a model as one of a router", async () => {
  const { instance, one } = await start()
  const models = ["proof/dear", "openrouter/free"]
  const { ordered } = await instance.explain({ models, messages })
  expect(ordered.map(({ model }) => model)[0]).toBe("proof/dear")
  expect(ordered).toHaveLength(5)
  one.always(fault.status(503))
  const answer = await instance.chat({ models: models.toReversed(), messages })
  expect(answer.model).toBe("proof/dear")
})

test("restrictions hold for the concrete model", async () => {
  const { instance, root } = await start()
  const { data: guardrail } = await instance.guardrails.create({
    name: "no cheap",
    ignored_models: ["proof/cheap"]
  })
  const { data: keyList } = await instance.keys.list({})
  const member = keyList.find(({ creator_user_id: user }) => user === "ada")!
  await instance.guardrails.assignKeys({ id: guardrail.id, key_hashes: [member.hash] })
  const asked = await post(root, "/v1/chat/completions", { model: "acme/tools", messages })
  expect(getProperty(asked.body, "model")).toBe("proof/dear")
  const { body, status } = await post(root, "/v1/chat/completions", {
    model: "acme/tools",
    messages,
    provider: { max_price: { prompt: 2 } }
  })
  expect(status).toBe(404)
  expect(getProperty(getProperty(body, "error"), "message")).toContain("max_price")
})

test("lists show a router to callers who may use one of its models", async () => {
  const { instance, root } = await start()
  const { body } = await send(`${root}/api/v1/models`, {
    method: "GET",
    headers: { authorization: `Bearer ${key}` }
  })
  const listed = getProperty(body, "data") as ReadonlyArray<{ readonly id: string }>
  expect(listed.find(({ id }) => id === "openrouter/free")).toMatchObject({
    pricing: { prompt: "0", completion: "0" },
    context_length: 4_000,
    architecture: { input_modalities: ["text", "image"] }
  })
  const usable = await instance.models.listAccessible({}, { caller: { user: "ada" } })
  expect(usable.data.map(({ id }) => id)).toContain("acme/tools")
})

test.each([
  ["proof/cheap:free", 'there is no such model with ":free", but proof/cheap'],
  ["proof/a", "did you mean proof/a:free?"],
  ["proof/a:thinking", 'there is no such model with ":thinking", but proof/a:free'],
  ["proof/cheap:extended:floor", "but proof/cheap"],
  ["proof/cheap:online", '":online" is not served here'],
  ["nobody/knows:free", "nobody/knows:free is not a valid model ID"]
])("%s is refused with what there is", async (model, problem) => {
  const { root } = await start()
  const { body, status } = await post(root, "/v1/chat/completions", { model, messages })
  expect(status).toBe(400)
  expect(getProperty(getProperty(body, "error"), "message")).toContain(problem)
})

test("suffixes that the catalog has are served, also with a sort", async () => {
  const { instance } = await start()
  const answer = await instance.chat({ model: "proof/a:free:floor", messages })
  expect(answer.model).toBe("proof/a:free")
})
