/** An instance with every operation, whose only provider serves all of them, and guardrails of each kind of owner. */
import type { GenerationEvent, Options, Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { openai, rerank } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import { wavOf } from "../audio/startAudioServer.ts"
import { type Host, nodeHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

export const defaultGuardrail = "ffffffff-0000-4000-8000-000000000000"

export interface FilterServerOptions extends Partial<Options> {
  readonly host?: Host
}

export const startFilterServer = async ({
  host = nodeHost,
  ...options
}: FilterServerOptions = {}) => {
  const provider = await ScriptedUpstream.start()
  for (const [path, step] of [
    ["/v1/chat", reply.chat("It is calm.")],
    ["/v1/embeddings", reply.embeddings()],
    ["/v1/rerank", reply.ranking([0.25, 0.75])],
    ["/v1/images", reply.images()]
  ] as const) {
    provider.when((request) => request.path.startsWith(path)).always(step)
  }
  const at = { slug: "one", name: "One", apiKey: "sk-at-one" }
  const chats = openai({ ...at, baseUrl: `${provider.url}/v1` })
  const { decisions, videos } = openrouter({ ...at, baseUrl: provider.url })
  const records: Array<GenerationEvent> = []
  const price = { prompt: "0", completion: "0" }
  const toModel = (id: string, output: "embeddings" | "image" | "rerank" | "text" | "video") => ({
    id,
    card: { architecture: { input_modalities: ["text", "image"], output_modalities: [output] } },
    endpoints: [{ provider: "one", price }]
  })
  const instance: Instance = await Signalbox.make({
    upstreams: [
      {
        ...chats,
        decisions: decisions!,
        videos: { ...videos!, pollIntervalMillis: 5 },
        rerank: rerank({ dialect: "jina", baseUrl: `${provider.url}/v1`, apiKey: "sk-at-one" })
          .rerank!
      }
    ],
    models: [
      toModel("proof/chat", "text"),
      toModel("proof/embed", "embeddings"),
      toModel("proof/rank", "rerank"),
      {
        ...toModel("proof/paint", "image"),
        endpoints: [{ provider: "one", model: "gpt-image-1", price }]
      },
      toModel("proof/film", "video"),
      { id: "proof/tts", endpoints: [{ provider: "one", price: { character: "0" } }] },
      { id: "proof/stt", endpoints: [{ provider: "one", price: { second: "0" } }] }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    broadcast: [(record) => void records.push(record)],
    ...options,
    settings: { videoSweepMillis: 10, ...options.settings }
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await provider.close()
  })
  return {
    instance,
    provider,
    records,
    root: `${running.origin}/ai/api`,
    /** Sends what an operation says. */
    ask: async (operation: Operation, text: string, key: string = keys.member) => {
      const { body, contentType } = await encode(operation.toBody(text))
      return send(`${running.origin}/ai/api${operation.path}`, {
        body,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": contentType,
          "x-openrouter-metadata": "enabled"
        }
      })
    }
  }
}

/** Browsers write forms. */
const encode = async (body: FormData | object) => {
  if (!(body instanceof FormData)) {
    return { body: JSON.stringify(body), contentType: "application/json" }
  }
  const request = new Request("http://localhost", { method: "POST", body })
  return {
    body: new Uint8Array(await request.arrayBuffer()),
    contentType: request.headers.get("content-type")!
  }
}

const toForm = (fields: Readonly<Record<string, Blob | string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

export interface Operation {
  readonly name: string
  readonly path: string
  readonly toBody: (text: string) => FormData | object
  /** Where records say that the text is. */
  readonly place: string
}

const message = (content: string) => ({ role: "user", content })
const wav = wavOf(2)

/** One pixel (https://www.w3.org/TR/png-3/). */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64"
)

export const operations: ReadonlyArray<Operation> = [
  {
    name: "chats",
    path: "/v1/chat/completions",
    toBody: (text) => ({ model: "proof/chat", messages: [message(text)] }),
    place: "messages.0.content"
  },
  {
    name: "messages",
    path: "/v1/messages",
    toBody: (text) => ({ model: "proof/chat", max_tokens: 100, messages: [message(text)] }),
    place: "messages.0.content"
  },
  {
    name: "responses",
    path: "/v1/responses",
    toBody: (text) => ({ model: "proof/chat", input: text }),
    place: "input"
  },
  {
    name: "Decisions",
    path: "/alpha/decisions",
    toBody: (text) => ({
      model: "proof/chat",
      state: { said: text },
      questions: { calm: { type: "noul", instructions: "Is it calm?" } }
    }),
    place: "state"
  },
  {
    name: "embeddings",
    path: "/v1/embeddings",
    toBody: (text) => ({ model: "proof/embed", input: ["First.", text] }),
    place: "input.1"
  },
  {
    name: "reranks",
    path: "/v1/rerank",
    toBody: (text) => ({ model: "proof/rank", query: "Is it?", documents: [text, "No."] }),
    place: "documents.0.text"
  },
  {
    name: "images",
    path: "/v1/images",
    toBody: (text) => ({ model: "proof/paint", prompt: text }),
    place: "prompt"
  },
  {
    name: "images of OpenAI's API",
    path: "/v1/images/generations",
    toBody: (text) => ({ model: "proof/paint", prompt: text }),
    place: "prompt"
  },
  {
    name: "edits of images",
    path: "/v1/images/edits",
    toBody: (text) =>
      toForm({
        model: "proof/paint",
        prompt: text,
        image: new File([png], "a.png", { type: "image/png" })
      }),
    place: "prompt"
  },
  {
    name: "speech",
    path: "/v1/audio/speech",
    toBody: (text) => ({ model: "proof/tts", input: text, voice: "alloy" }),
    place: "input"
  },
  {
    name: "transcriptions",
    path: "/v1/audio/transcriptions",
    toBody: (text) => ({
      model: "proof/stt",
      prompt: text,
      input_audio: { data: Buffer.from(wav).toString("base64"), format: "wav" }
    }),
    place: "prompt"
  },
  {
    name: "transcriptions as forms",
    path: "/v1/audio/transcriptions",
    toBody: (text) =>
      toForm({
        model: "proof/stt",
        prompt: text,
        file: new File([wav.slice()], "a.wav", { type: "audio/wav" })
      }),
    place: "prompt"
  },
  {
    name: "videos",
    path: "/v1/videos",
    toBody: (text) => ({ model: "proof/film", prompt: text }),
    place: "prompt"
  }
]
