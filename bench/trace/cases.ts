/** Warm requests whose code is traced: an Express application, a client and a provider in this process. */
import { once } from "node:events"
import { createServer } from "node:http"
import { anthropic } from "@signalbox/anthropic"
import type { Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { signalbox } from "@signalbox/express"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import express from "express"
import { Pool } from "undici"
import { decisionRequest } from "../decisionRequest.ts"
import { chatAnswer, decisionAnswer } from "../load/answers.ts"
import { dialectAnswers } from "../load/dialectAnswers.ts"
import { startChatUpstream } from "../startChatUpstream.ts"
import { startUpstream } from "../startUpstream.ts"

interface TracedCase {
  readonly name: string
  readonly run: () => Promise<unknown>
}

const naming = { slug: "alpha", name: "Alpha", apiKey: "sk-bench-upstream" }
const model = "bench/judge"

const serve = async (upstream: Upstream, options: Partial<Options> = {}): Promise<Pool> => {
  const instance = await Signalbox.make({
    ...options,
    upstreams: [upstream],
    models: [
      {
        id: model,
        endpoints: [
          {
            provider: "alpha",
            contextLength: 128_000,
            price: { prompt: "0.000001", completion: "0.000002" }
          }
        ]
      }
    ],
    keys: [{ key: "sk-bench", kind: "member", user: "ada" }]
  })
  const server = createServer(express().use(signalbox(instance)))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("not listening on a port")
  return new Pool(`http://127.0.0.1:${address.port}`, { connections: 1 })
}

const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" }

const traced = async (
  name: string,
  upstream: Upstream,
  path: string,
  body: object,
  options: Partial<Options> = {}
): Promise<TracedCase> => {
  const pool = await serve(upstream, options)
  const run = async () => {
    const response = await pool.request({
      method: "POST",
      path,
      headers,
      body: JSON.stringify(body)
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${text}`)
  }
  return { name, run }
}

const messages = [{ role: "user", content: "What is a lighthouse for?" }]
const chat = { model, messages }
const message = { ...chat, max_tokens: 1_000, system: "You are brief." }
const response = { model, input: "What is a lighthouse for?" }
const chatPath = "/api/v1/chat/completions"
const messagesPath = "/api/v1/messages"
const responsesPath = "/api/v1/responses"
const decisionsPath = "/api/alpha/decisions"

/** Tokens of a streamed answer, beside its first and its last events. */
const tokens = 3

const at = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}`
const decisions = await startUpstream(decisionAnswer)
const chats = await startUpstream(chatAnswer)
const chatStreams = await startChatUpstream(tokens)
const start = async (dialect: keyof typeof dialectAnswers) => ({
  whole: at(await startUpstream(dialectAnswers[dialect].whole)),
  streamed: at(await startChatUpstream(tokens, dialectAnswers[dialect].streamed))
})
const claude = await start("messages")
const gemini = await start("gemini")
const gpt = await start("responses")

const byChat = (baseUrl: string) => openai({ ...naming, baseUrl: `${baseUrl}/v1` })
const byDecisions = (baseUrl: string) => openrouter({ ...naming, baseUrl })
const byMessages = (baseUrl: string) => anthropic({ ...naming, baseUrl })
const byGemini = (baseUrl: string) => google({ ...naming, baseUrl })
const byResponses = (baseUrl: string) =>
  openai({ ...naming, baseUrl: `${baseUrl}/v1`, api: "responses" })

/** What ends the names of cases with a cache of responses that the request does not ask for. */
export const unused = ", with a cache that it does not use"
const withCache = { responseCache: { ttlSeconds: 60 } } as const

export const cases: ReadonlyArray<TracedCase> = [
  await traced("chat", byChat(at(chats)), chatPath, chat),
  await traced(`chat${unused}`, byChat(at(chats)), chatPath, chat, withCache),
  await traced("chat, streamed", byChat(at(chatStreams)), chatPath, { ...chat, stream: true }),
  await traced(
    `chat, streamed${unused}`,
    byChat(at(chatStreams)),
    chatPath,
    { ...chat, stream: true },
    withCache
  ),
  await traced("chat to Gemini", byGemini(gemini.whole), chatPath, chat),
  await traced("Messages to Anthropic", byMessages(claude.whole), messagesPath, message),
  await traced("Messages to Anthropic, streamed", byMessages(claude.streamed), messagesPath, {
    ...message,
    stream: true
  }),
  await traced("Messages to Gemini", byGemini(gemini.whole), messagesPath, message),
  await traced("Messages to Gemini, streamed", byGemini(gemini.streamed), messagesPath, {
    ...message,
    stream: true
  }),
  await traced("Messages to a chat provider", byChat(at(chats)), messagesPath, message),
  await traced("Responses to OpenAI", byResponses(gpt.whole), responsesPath, response),
  await traced("Responses to a chat provider", byChat(at(chats)), responsesPath, response),
  await traced("Decision", byDecisions(at(decisions)), decisionsPath, decisionRequest),
  await traced(
    `Decision${unused}`,
    byDecisions(at(decisions)),
    decisionsPath,
    decisionRequest,
    withCache
  )
]
