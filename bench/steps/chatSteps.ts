/** The steps of a chat by each API whose provider has the same API, each by itself. */
import { anthropic } from "@signalbox/anthropic"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import type { Upstream } from "@signalbox/core/upstream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as NanoUsd from "../../packages/core/src/values/usage/NanoUsd.ts"
import { parseChatReply } from "../../packages/core/src/dialects/chat/readAnswer.ts"
import { writeChatBody } from "../../packages/core/src/dialects/chat/makeChatCompletions.ts"
import { passOnMessages } from "../../packages/core/src/dialects/messages/passOnMessages.ts"
import { parseMessagesAnswer } from "../../packages/core/src/dialects/messages/readAnswer.ts"
import { passOnResponses } from "../../packages/core/src/dialects/responses/passOnResponses.ts"
import { parseResponsesAnswer } from "../../packages/core/src/dialects/responses/readAnswer.ts"
import {
  type ChatAnswer,
  toChatCompletion
} from "../../packages/core/src/domains/chat/ChatAnswer.ts"
import { Chats } from "../../packages/core/src/domains/chat/Chats.ts"
import { ChoicesSize } from "../../packages/core/src/domains/chat/estimateUsage.ts"
import {
  decodeChatRequest,
  type ParsedChat
} from "../../packages/core/src/domains/chat/request/parseChatRequest.ts"
import { toChatQuery } from "../../packages/core/src/domains/chat/request/toChatQuery.ts"
import { toChatCall } from "../../packages/core/src/domains/chat/toChatCall.ts"
import { toChatEnd } from "../../packages/core/src/domains/chat/toChatUsage.ts"
import { checkChatReply, toServed } from "../../packages/core/src/domains/chat/toServed.ts"
import { decodeMessagesChat } from "../../packages/core/src/domains/messages/parseMessagesChat.ts"
import { writeMessage } from "../../packages/core/src/domains/messages/writeMessage.ts"
import { decodeResponsesChat } from "../../packages/core/src/domains/responses/parseResponsesChat.ts"
import { writeResponse } from "../../packages/core/src/domains/responses/writeResponse.ts"
import type { ChatReply } from "../../packages/core/src/engine/upstreams/ChatCapability.ts"
import { Settings } from "../../packages/core/src/instance/Settings.ts"
import { hostCaller } from "../../packages/core/src/tenants/auth/Caller.ts"
import { GenerationId } from "../../packages/core/src/values/ids/GenerationId.ts"
import { chatAnswer } from "../load/answers.ts"
import { dialectAnswers } from "../load/dialectAnswers.ts"

export type Steps = Readonly<Record<string, () => unknown>>

const model = "bench/talker"
const question = "What is a lighthouse for? ".repeat(10)
const naming = {
  slug: "alpha",
  name: "Alpha",
  apiKey: "sk-bench-upstream",
  baseUrl: "http://localhost:1"
}

const makeWorld = async (upstream: Upstream) => {
  const instance = await Signalbox.make({
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
    ]
  })
  const chats = Context.get(instance.context, Chats)
  const settings = Context.get(instance.context, Settings)
  const capability = upstream.chat
  if (capability === undefined) throw new Error("the upstream has no chat")
  return { capability, chats, settings }
}

type World = Awaited<ReturnType<typeof makeWorld>>

/** The steps that every API has, with its own reply. */
const makeCommonSteps = async (
  { capability, chats }: World,
  parsed: ParsedChat,
  reply: ChatReply
) => {
  const plan = () => chats.plan(hostCaller, parsed)
  const { ordered } = (await Effect.runPromise(plan())).plan
  const [candidate] = ordered
  if (candidate === undefined) throw new Error("there is no candidate")
  const target = { candidate, capability }
  const attempted = {
    candidate,
    chargedAt: 0,
    startedAt: 0,
    latencyMillis: 5,
    cost: NanoUsd.make(1_000n),
    ...(reply.usage === undefined ? undefined : { usage: reply.usage })
  }
  const answer: ChatAnswer = {
    id: GenerationId.make("gen-1-x"),
    startedAt: 0,
    model,
    provider: "Alpha",
    reply,
    ...toChatEnd([attempted], reply.usageDetails)
  }
  const steps: Steps = {
    query: () => toChatQuery(hostCaller, [model], parsed),
    "prepare (load, plan)": plan,
    call: () => toChatCall(parsed, target),
    "check (reply)": () => checkChatReply(reply, undefined),
    "serve (usage)": () =>
      toServed(parsed, target, reply, new ChoicesSize(reply.choices), { usage: reply.usage }),
    "end (usage, cost)": () => toChatEnd([attempted], reply.usageDetails)
  }
  return { answer, call: toChatCall(parsed, target), steps }
}

const makeChatSteps = async (): Promise<Steps> => {
  const world = await makeWorld(openai(naming))
  const body = {
    model,
    messages: [
      { role: "system", content: "You are brief." },
      { role: "user", content: question }
    ]
  }
  const options = { bytes: JSON.stringify(body).length, settings: world.settings }
  const json: unknown = JSON.parse(chatAnswer)
  const read = () => parseChatReply(json)
  const parsed = Result.getOrThrow(decodeChatRequest(body, options))
  const { answer, call, steps } = await makeCommonSteps(world, parsed, Result.getOrThrow(read()))
  return {
    "decode (JSON to chat)": () => decodeChatRequest(body, options),
    ...steps,
    "body (for the provider)": () => writeChatBody({ ...call }),
    "read (answer)": read,
    "write (answer)": () => toChatCompletion(answer)
  }
}

const nativeCall = {
  model,
  isStreamed: false,
  maxOutputTokens: 1_000,
  supportedParameters: undefined,
  serviceTier: undefined
}

const makeMessagesSteps = async (): Promise<Steps> => {
  const world = await makeWorld(anthropic(naming))
  const body = {
    model,
    max_tokens: 1_000,
    system: "You are brief.",
    messages: [{ role: "user", content: question }]
  }
  const options = { bytes: JSON.stringify(body).length, settings: world.settings }
  const json: Readonly<Record<string, unknown>> = JSON.parse(dialectAnswers.messages.whole)
  const read = () => parseMessagesAnswer(json, { isNative: true })
  const chat = Result.getOrThrow(decodeMessagesChat(body, options))
  const reply = { ...Result.getOrThrow(read()), native: json }
  const { answer, steps } = await makeCommonSteps(world, chat.parsed, reply)
  return {
    "decode (JSON to chat)": () => decodeMessagesChat(body, options),
    ...steps,
    "body (for the provider)": () => passOnMessages(body, nativeCall, { takesUrls: true }),
    "read (answer)": read,
    "write (answer)": () => writeMessage(answer, chat)
  }
}

const makeResponsesSteps = async (): Promise<Steps> => {
  const world = await makeWorld(openai({ ...naming, api: "responses" }))
  const body = { model, instructions: "You are brief.", input: question }
  const options = { bytes: JSON.stringify(body).length, settings: world.settings }
  const json: Readonly<Record<string, unknown>> = JSON.parse(dialectAnswers.responses.whole)
  const read = () => parseResponsesAnswer(json, { isNative: true })
  const chat = Result.getOrThrow(decodeResponsesChat(body, options))
  const reply = { ...Result.getOrThrow(read()), native: json }
  const { answer, steps } = await makeCommonSteps(world, chat.parsed, reply)
  return {
    "decode (JSON to chat)": () => decodeResponsesChat(body, options),
    ...steps,
    "body (for the provider)": () => passOnResponses(body, nativeCall, "openai"),
    "read (answer)": read,
    "write (answer)": () => writeResponse(answer, chat, { completedAt: 1 })
  }
}

/** By the name of the API. */
export const chatSteps: Readonly<Record<string, Steps>> = {
  chat: await makeChatSteps(),
  Messages: await makeMessagesSteps(),
  Responses: await makeResponsesSteps()
}
