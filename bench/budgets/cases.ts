/** Requests with client, server and upstream in this process, each beside a hand-written pass-through on `node:http`. */
import { createServer, type RequestListener } from "node:http"
import { once } from "node:events"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { Pool } from "undici"
import type { Options, Signalbox as Instance } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { anthropic } from "@signalbox/anthropic"
import { google } from "@signalbox/google"
import { decisionRequest } from "../decisionRequest.ts"
import type { GoalName } from "../goals.ts"
import { chatAnswer, decisionAnswer } from "../load/answers.ts"
import { dialectAnswers } from "../load/dialectAnswers.ts"
import { streamEvents } from "../load/workloads.ts"
import { passThroughListener } from "../passThrough/passThroughListener.ts"
import { startChatUpstream } from "../startChatUpstream.ts"
import { startUpstream } from "../startUpstream.ts"
import { type FilterUse, startTalker } from "../inMemoryTalker.ts"
import { inMemoryUpstream } from "./inMemoryUpstream.ts"

const models = [
  {
    id: "bench/judge",
    endpoints: ["alpha", "beta", "gamma"].map((provider, index) => ({
      provider,
      contextLength: 128_000,
      price: { prompt: `0.00000${index + 1}`, completion: "0" }
    }))
  }
]
const slugs = ["alpha", "beta", "gamma"] as const
const keys = [{ key: "sk-bench", kind: "member", user: "ada" }] as const

const serve = async (listener: RequestListener) => {
  const server = createServer(listener)
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  return new Pool(`http://127.0.0.1:${address.port}`, { connections: 1 })
}

const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }
const post = (pool: Pool, path: string, body: string) => async (): Promise<void> => {
  const response = await pool.request({ method: "POST", path, headers, body })
  const text = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${text}`)
}

const decisions = await startUpstream(decisionAnswer)
const decisionOrigin = `http://127.0.0.1:${decisions.port}`
const decisionBody = JSON.stringify(decisionRequest)
const overHttp = await Signalbox.make({
  upstreams: slugs.map((slug) =>
    openrouter({ slug, name: slug, baseUrl: decisionOrigin, apiKey: "sk-bench-upstream" })
  ),
  models,
  keys
})
const inMemory = await Signalbox.make({
  upstreams: slugs.map((slug) => inMemoryUpstream(slug)),
  models,
  keys
})

const chats = await startUpstream(chatAnswer)
/** The number of events of a streamed answer. */
const events = streamEvents
const chatStreams = await startChatUpstream(events)
const naming = { slug: "alpha", name: "Alpha", apiKey: "sk-bench-upstream" }
const openaiAt = (baseUrl: string) => openai({ ...naming, baseUrl: `${baseUrl}/v1` })
const makeChatInstance = (
  port: number,
  makeUpstream: (baseUrl: string) => Upstream = openaiAt,
  options: Partial<Options> = {}
) =>
  Signalbox.make({
    ...options,
    upstreams: [makeUpstream(`http://127.0.0.1:${port}`)],
    models: [
      {
        id: "bench/talker",
        endpoints: [
          {
            provider: "alpha",
            contextLength: 128_000,
            price: { prompt: "0.000001", completion: "0.000002" }
          }
        ]
      }
    ],
    keys
  })
/** Endpoints of one model whose caches are cheaper, so that a conversation has a place. */
const makeAffinityInstance = (affinityMillis: number) =>
  Signalbox.make({
    upstreams: slugs.map((slug) =>
      openai({ ...naming, slug, name: slug, baseUrl: `http://127.0.0.1:${chats.port}/v1` })
    ),
    models: [
      {
        id: "bench/talker",
        endpoints: slugs.map((provider) => ({
          provider,
          contextLength: 128_000,
          price: { prompt: "0.000001", completion: "0.000002", input_cache_read: "0.0000001" }
        }))
      }
    ],
    keys,
    settings: { affinityMillis }
  })
const chatRequest = {
  model: "bench/talker",
  messages: [
    { role: "system", content: "You are brief." },
    { role: "user", content: "What is a lighthouse for? ".repeat(10) }
  ]
}
const streamBody = JSON.stringify({ ...chatRequest, stream: true })
const chatPath = "/api/v1/chat/completions"

export interface Case {
  readonly name: string
  readonly goal: GoalName
  readonly measured: () => Promise<unknown>
  /** The same request to a hand-written pass-through; absent: nothing is subtracted. */
  readonly passThrough?: () => Promise<unknown>
  /** The events of an answer, by which the figure is divided. */
  readonly events?: number
}

const translated: ReadonlyArray<
  readonly [name: keyof typeof dialectAnswers, makeUpstream: (baseUrl: string) => Upstream]
> = [
  ["messages", (baseUrl) => anthropic({ ...naming, baseUrl })],
  ["gemini", (baseUrl) => google({ ...naming, baseUrl })],
  ["responses", (baseUrl) => openai({ ...naming, baseUrl: `${baseUrl}/v1`, api: "responses" })]
]

/** The pass-through gets the same answer in the chat dialect. */
const translatedCases = await Promise.all(
  translated.map(async ([name, makeUpstream]): Promise<ReadonlyArray<Case>> => {
    const { streamed, whole } = dialectAnswers[name]
    const wholes = await startUpstream(whole)
    const streams = await startChatUpstream(events, streamed)
    return [
      {
        name: `chat by ${name}, whole`,
        goal: "translatedBytes",
        measured: post(
          await serve(signalbox(await makeChatInstance(wholes.port, makeUpstream))),
          chatPath,
          JSON.stringify(chatRequest)
        ),
        passThrough: post(
          await serve(passThroughListener(`http://127.0.0.1:${chats.port}`)),
          chatPath,
          JSON.stringify(chatRequest)
        )
      },
      {
        name: `chat by ${name}, streamed`,
        goal: "translatedEventBytes",
        measured: post(
          await serve(signalbox(await makeChatInstance(streams.port, makeUpstream))),
          chatPath,
          streamBody
        ),
        passThrough: post(
          await serve(passThroughListener(`http://127.0.0.1:${chatStreams.port}`)),
          chatPath,
          streamBody
        ),
        events
      }
    ]
  })
)

const question = "What is a lighthouse for? ".repeat(10)
/** The same chat by the other APIs that the instance serves. */
const otherApis = {
  messages: {
    path: "/api/v1/messages",
    body: {
      model: "bench/talker",
      max_tokens: 1_000,
      system: "You are brief.",
      messages: [{ role: "user", content: question }]
    }
  },
  responses: {
    path: "/api/v1/responses",
    body: { model: "bench/talker", instructions: "You are brief.", input: question }
  }
}

/** Each API in front of a provider that speaks it, and of one with the chat API. The pass-through gets the same answer. */
const otherApiCases = await Promise.all(
  translated.flatMap(([name, makeUpstream]) =>
    name === "gemini"
      ? []
      : [true, false].map(async (isNative): Promise<ReadonlyArray<Case>> => {
          const { body, path } = otherApis[name]
          const { streamed, whole } = dialectAnswers[name]
          const wholes = isNative ? await startUpstream(whole) : chats
          const streams = isNative ? await startChatUpstream(events, streamed) : chatStreams
          const upstream = isNative ? makeUpstream : openaiAt
          const title = `${name} by ${isNative ? name : "chat"}`
          const toPosts = async (port: number, sent: string) => ({
            measured: post(
              await serve(signalbox(await makeChatInstance(port, upstream))),
              path,
              sent
            ),
            passThrough: post(
              await serve(passThroughListener(`http://127.0.0.1:${port}`)),
              path,
              sent
            )
          })
          return [
            {
              name: `${title}, whole`,
              goal: isNative ? "nativeBytes" : "translatedBytes",
              ...(await toPosts(wholes.port, JSON.stringify(body)))
            },
            {
              name: `${title}, streamed`,
              goal: isNative ? "nativeEventBytes" : "translatedEventBytes",
              ...(await toPosts(streams.port, JSON.stringify({ ...body, stream: true }))),
              events
            }
          ]
        })
  )
)

/** Beside the same chat without filters. */
const toFilterCase = async (use: FilterUse, name: string, goal: GoalName): Promise<Case> => {
  const measured = await startTalker(use)
  const base = await startTalker("none")
  return {
    name: `chat in process, content filters ${name}`,
    goal,
    measured: () => measured.ask(question),
    passThrough: () => base.ask(question)
  }
}

/** Beside the same chat where the host says nothing of a cache. */
const toCacheCase = async (
  name: string,
  options: Pick<Options, "responseCache">,
  call: Parameters<Instance["chat"]>[1] = {}
): Promise<Case> => {
  const measured = await startTalker("none", options, call)
  const base = await startTalker("none")
  return {
    name: `chat in process, a cache that ${name}`,
    goal: "unusedCacheBytes",
    measured: () => measured.ask(question),
    passThrough: () => base.ask(question)
  }
}

/** The cache of responses is there for requests that ask for it, of which there are none. */
const unusedCache = { responseCache: { ttlSeconds: 60 } } as const

export const cases: ReadonlyArray<Case> = [
  {
    name: "Decision over HTTP",
    goal: "decisionBytes",
    measured: post(await serve(signalbox(overHttp)), "/api/alpha/decisions", decisionBody),
    passThrough: post(
      await serve(passThroughListener(decisionOrigin)),
      "/api/alpha/decisions",
      decisionBody
    )
  },
  {
    name: "Decision in process, upstream in memory",
    goal: "inProcessBytes",
    measured: () => inMemory.decide(decisionRequest)
  },
  {
    name: "chat answered whole",
    goal: "chatBytes",
    measured: post(
      await serve(signalbox(await makeChatInstance(chats.port))),
      chatPath,
      JSON.stringify(chatRequest)
    ),
    passThrough: post(
      await serve(passThroughListener(`http://127.0.0.1:${chats.port}`)),
      chatPath,
      JSON.stringify(chatRequest)
    )
  },
  {
    name: "chat answered whole, with a cache that it does not use",
    goal: "chatBytes",
    measured: post(
      await serve(signalbox(await makeChatInstance(chats.port, openaiAt, unusedCache))),
      chatPath,
      JSON.stringify(chatRequest)
    ),
    passThrough: post(
      await serve(passThroughListener(`http://127.0.0.1:${chats.port}`)),
      chatPath,
      JSON.stringify(chatRequest)
    )
  },
  ...(await Promise.all(
    [0, 600_000].map(async (affinityMillis) => ({
      name:
        affinityMillis === 0 ? "chat of three endpoints, drawn" : "chat of three endpoints, kept",
      goal: "chatBytes" as const,
      measured: post(
        await serve(signalbox(await makeAffinityInstance(affinityMillis))),
        chatPath,
        JSON.stringify(chatRequest)
      ),
      passThrough: post(
        await serve(passThroughListener(`http://127.0.0.1:${chats.port}`)),
        chatPath,
        JSON.stringify(chatRequest)
      )
    }))
  )),
  await toFilterCase("of others", "of others", "unusedFilterBytes"),
  await toFilterCase("used", "that find nothing", "filterBytes"),
  await toCacheCase("nobody asks for", unusedCache),
  await toCacheCase("it refuses", { responseCache: { enabled: true } }, { cache: false }),
  {
    name: "chat streamed",
    goal: "eventBytes",
    measured: post(
      await serve(signalbox(await makeChatInstance(chatStreams.port))),
      chatPath,
      streamBody
    ),
    passThrough: post(
      await serve(passThroughListener(`http://127.0.0.1:${chatStreams.port}`)),
      chatPath,
      streamBody
    ),
    events
  },
  ...translatedCases.flat(),
  ...otherApiCases.flat()
]
