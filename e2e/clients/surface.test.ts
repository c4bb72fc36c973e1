/** What clients do with presets, suffixes, router models, ignored fields, kept content and feedback, unmodified and on two hosts. */
import { ChatOpenAI } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { generateText, streamText } from "ai"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { fastify5, hosts } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"

const key = "sk-surface-member-71c2"
const managementKey = "sk-surface-management-90ab"
const prompt = "Is it calm?"
const messages = [{ role: "user" as const, content: prompt }]
const price = { prompt: "0.000001", completion: "0.000002" }

interface Asked {
  readonly model: string
  /** Fields beside those that the client knows. */
  readonly extra?: Readonly<Record<string, unknown>>
}

interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  /** `X-Signalbox-Ignored`. */
  readonly ignored: string | null
}

interface SurfaceClient {
  readonly name: string
  /** The client leaves out fields that it does not know. */
  readonly isClosed?: true
  readonly ask: (root: string, asked: Asked) => Promise<Answer>
  readonly stream: (root: string, asked: Asked) => Promise<Answer>
}

const toBaseUrl = (root: string) => `${root}/api/v1`

/** A `fetch` as clients take one, which notes the header of the last answer. */
const noteIgnored = () => {
  let ignored: string | null = null
  const noting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    ignored = response.headers.get("x-signalbox-ignored")
    return response
  }
  return { noting, getIgnored: () => ignored }
}

const makeNotingClient = (root: string, noting: typeof fetch) =>
  new OpenRouter({
    apiKey: key,
    serverURL: toBaseUrl(root),
    retryConfig: { strategy: "none" },
    httpClient: new HTTPClient({ fetcher: noting })
  })

const clients: ReadonlyArray<SurfaceClient> = [
  {
    name: "openai",
    ask: async (root, { extra, model }) => {
      const { data, response } = await new OpenAI({
        apiKey: key,
        baseURL: toBaseUrl(root)
      }).chat.completions
        .create({ model, messages, ...extra })
        .withResponse()
      const ignored = response.headers.get("x-signalbox-ignored")
      return {
        id: data.id,
        model: data.model,
        text: data.choices[0]?.message.content ?? "",
        ignored
      }
    },
    stream: async (root, { extra, model: wanted }) => {
      const { data, response } = await new OpenAI({
        apiKey: key,
        baseURL: toBaseUrl(root)
      }).chat.completions
        .create({ model: wanted, messages, stream: true, ...extra })
        .withResponse()
      let [id, model, text] = ["", "", ""]
      for await (const chunk of data) {
        ;({ id, model } = chunk)
        text += chunk.choices[0]?.delta.content ?? ""
      }
      return { id, model, text, ignored: response.headers.get("x-signalbox-ignored") }
    }
  },
  {
    name: "ai with the OpenRouter provider",
    ask: async (root, { extra = {}, model }) => {
      const provider = createOpenRouter({ apiKey: key, baseURL: toBaseUrl(root) })
      const { finalStep } = await generateText({
        model: provider.chat(model, { extraBody: extra }),
        prompt,
        maxRetries: 0
      })
      const { headers, id, modelId } = finalStep.response
      return {
        id,
        model: modelId,
        text: finalStep.text,
        ignored: headers?.["x-signalbox-ignored"] ?? null
      }
    },
    stream: async (root, { extra = {}, model }) => {
      const provider = createOpenRouter({ apiKey: key, baseURL: toBaseUrl(root) })
      const result = streamText({
        model: provider.chat(model, { extraBody: extra }),
        prompt,
        maxRetries: 0
      })
      const { response, text } = await result.finalStep
      const ignored = response.headers?.["x-signalbox-ignored"] ?? null
      return { id: response.id, model: response.modelId, text, ignored }
    }
  },
  {
    name: "LangChain",
    ask: async (root, { extra = {}, model }) => {
      const { getIgnored, noting } = noteIgnored()
      const answer = await new ChatOpenAI({
        apiKey: key,
        model,
        modelKwargs: extra,
        maxRetries: 0,
        configuration: { baseURL: toBaseUrl(root), fetch: noting }
      }).invoke(prompt)
      return {
        id: answer.id ?? "",
        model: String(answer.response_metadata["model_name"]),
        text: answer.text,
        ignored: getIgnored()
      }
    },
    stream: async (root, { extra = {}, model: wanted }) => {
      const { getIgnored, noting } = noteIgnored()
      const stream = await new ChatOpenAI({
        apiKey: key,
        model: wanted,
        modelKwargs: extra,
        maxRetries: 0,
        configuration: { baseURL: toBaseUrl(root), fetch: noting }
      }).stream(prompt)
      let [id, model, text] = ["", "", ""]
      for await (const chunk of stream) {
        id = chunk.id ?? id
        const named: unknown = chunk.response_metadata["model_name"]
        if (typeof named === "string") model = named
        text += chunk.text
      }
      return { id, model, text, ignored: getIgnored() }
    }
  },
  {
    name: "@openrouter/sdk",
    isClosed: true,
    ask: async (root, { extra = {}, model }) => {
      const { getIgnored, noting } = noteIgnored()
      const client = makeNotingClient(root, noting)
      const answer = await client.chat.send({ chatRequest: { model, messages, ...extra } })
      if (!("choices" in answer)) throw new Error("the answer is a stream")
      const { content } = answer.choices[0]?.message ?? {}
      return {
        id: answer.id,
        model: answer.model,
        text: typeof content === "string" ? content : "",
        ignored: getIgnored()
      }
    },
    stream: async (root, { extra = {}, model: wanted }) => {
      const { getIgnored, noting } = noteIgnored()
      const client = makeNotingClient(root, noting)
      const stream = await client.chat.send({
        chatRequest: { model: wanted, messages, ...extra, stream: true }
      })
      if ("choices" in stream) throw new Error("the answer is no stream")
      let [id, model, text] = ["", "", ""]
      for await (const chunk of stream) {
        ;({ id, model } = chunk)
        text += chunk.choices[0]?.delta.content ?? ""
      }
      return { id, model, text, ignored: getIgnored() }
    }
  }
]

const start = async (host: (typeof hosts)[number]) => {
  const upstream = await ScriptedUpstream.start()
  upstream.always(reply.chat(["It ", "is ", "calm."]))
  const instance = await Signalbox.make({
    upstreams: [
      openai({ slug: "one", name: "One", baseUrl: `${upstream.url}/v1`, apiKey: "sk-one" })
    ],
    models: [
      ...["proof/model", "proof/model:thinking", "proof/model:extended", "proof/other"].map(
        (id) => ({ id, endpoints: [{ provider: "one", price }] })
      ),
      {
        id: "proof/gift:free",
        endpoints: [{ provider: "one", price: { prompt: "0", completion: "0" } }]
      },
      { id: "openrouter/free", router: { kind: "random", free: true } }
    ],
    presets: {
      brief: { config: { model: "proof/model", temperature: 0.25 }, systemPrompt: "Be brief." }
    },
    keys: [
      { key, kind: "member", user: "ada" },
      { key: managementKey, kind: "management" }
    ],
    sealing: { current: "k1", keys: { k1: "a key that seals what customers write" } },
    workspaceDefaults: { keepContent: true }
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await upstream.close()
  })
  return { instance, root: `${running.origin}/ai`, upstream }
}

describe.each([hosts[1]!, fastify5])("against $name", (host) => {
  describe.each(clients)("$name", ({ ask, isClosed = false, stream }) => {
    test("uses a preset in all forms that it sends, whole and streamed", async () => {
      const { root, upstream } = await start(host)
      const forms: ReadonlyArray<Asked & { readonly concrete: string }> = [
        { model: "@preset/brief", concrete: "proof/model" },
        { model: "proof/other@preset/brief", concrete: "proof/other" },
        ...(isClosed
          ? []
          : [{ model: "proof/other", extra: { preset: "brief" }, concrete: "proof/other" }])
      ]
      for (const { concrete, ...asked } of forms) {
        for (const send of [ask, stream]) {
          const { ignored, model, text } = await send(root, asked)
          expect([model, text, ignored]).toEqual([concrete, "It is calm.", null])
          expect(upstream.requests.at(-1)?.body).toMatchObject({
            model: concrete,
            temperature: 0.25,
            messages: [{ role: "system", content: "Be brief." }, { role: "user" }]
          })
        }
      }
    })

    test("asks for suffixes of the catalog and for a router", async () => {
      const { root } = await start(host)
      for (const model of ["proof/model:thinking", "proof/model:extended"]) {
        for (const send of [ask, stream]) expect((await send(root, { model })).model).toBe(model)
      }
      for (const send of [ask, stream]) {
        expect((await send(root, { model: "openrouter/free" })).model).toBe("proof/gift:free")
      }
    })

    test("can see what is ignored", async () => {
      const { root } = await start(host)
      const asked = { model: "proof/model", extra: { plugins: [{ id: "web" }] } }
      for (const send of [ask, stream]) {
        expect((await send(root, asked)).ignored).toBe("plugins")
      }
    })

    test("knows the id by which a manager reads the content and gives feedback", async () => {
      const { instance, root } = await start(host)
      const { generations } = makeClient({ root }, managementKey)
      for (const send of [ask, stream]) {
        const { id } = await send(root, { model: "proof/model" })
        const { data } = await generations.listGenerationContent({ id })
        expect(data).toEqual({
          input: { messages: [{ role: "user", content: expect.anything() }] },
          output: { completion: "It is calm.", reasoning: null },
          error: null
        })
        expect(JSON.stringify(data.input)).toContain(prompt)
        await generations.submitFeedback({
          submitGenerationFeedbackRequest: { generationId: id, category: "latency" }
        })
        const { data: given } = await instance.generations.listFeedback({ generation_id: id })
        expect(given.map((each) => getProperty(each, "category"))).toEqual(["latency"])
      }
    })
  })

  test("@openrouter/sdk lists the people of an organization", async () => {
    const instance = await Signalbox.make({
      upstreams: [],
      models: [],
      keys: [{ key: managementKey, kind: "management" }],
      organization: () => ({ members: [{ id: "ada", email: "ada@acme.example" }], total: 1 })
    })
    const running = await host.start(instance, "/ai")
    onTestFinished(async () => {
      await running.close()
      await instance.close()
    })
    const { result } = await makeClient(
      { root: `${running.origin}/ai` },
      managementKey
    ).organization.listMembers({})
    expect(result.data.map(({ email }) => email)).toEqual(["ada@acme.example"])
  })
})
