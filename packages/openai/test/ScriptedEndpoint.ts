/** A chat endpoint with scripted replies over real HTTP, and the calls that a test sends to it. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type {
  DecisionCall,
  DecisionReply,
  Questions,
  UpstreamFailure
} from "@signalbox/core/upstream"
import { type ReceivedRequest, startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ServerResponse } from "node:http"
import { openai, type OpenAiOptions } from "../src/index.ts"

const ContentPart = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("image_url"),
    image_url: Schema.Struct({ url: Schema.String })
  })
])

const effort = Schema.Literals(["none", "low"])

/** Every field that a request may have. Other keys fail the test. */
export const ChatRequest = Schema.Struct({
  model: Schema.String,
  messages: Schema.Tuple([
    Schema.Struct({ role: Schema.Literal("system"), content: Schema.String }),
    Schema.Struct({
      role: Schema.Literal("user"),
      content: Schema.Union([Schema.String, Schema.Array(ContentPart)])
    })
  ]),
  stream: Schema.Literal(false),
  temperature: Schema.optionalKey(Schema.Literal(0)),
  logprobs: Schema.optionalKey(Schema.Literal(true)),
  top_logprobs: Schema.optionalKey(Schema.Literal(20)),
  service_tier: Schema.optionalKey(Schema.Literals(["flex", "priority"])),
  max_tokens: Schema.optionalKey(Schema.Int),
  max_completion_tokens: Schema.optionalKey(Schema.Int),
  reasoning: Schema.optionalKey(Schema.Struct({ effort })),
  reasoning_effort: Schema.optionalKey(effort),
  response_format: Schema.optionalKey(
    Schema.Union([
      Schema.Struct({ type: Schema.Literal("json_object") }),
      Schema.Struct({
        type: Schema.Literal("json_schema"),
        json_schema: Schema.Struct({
          name: Schema.String,
          strict: Schema.Literal(true),
          schema: Schema.Json
        })
      })
    ])
  )
})
export type ChatRequest = typeof ChatRequest.Type

export const parseRequest = ({ json }: ReceivedRequest): ChatRequest =>
  Schema.decodeUnknownSync(ChatRequest)(json, { onExcessProperty: "error" })

/** The text that a request shows the model after the system prompt. */
export const getPrompt = ({ messages }: ChatRequest): string => {
  const { content } = messages[1]
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : `[${part.image_url.url}]`)).join("")
}

export const logprobsMode = ["logprobs", "top_logprobs"]
export const probabilityMode = ["structured_outputs", "response_format"]

export const makeCall = (
  questions: Questions,
  supported: ReadonlyArray<string> = [],
  state: unknown = "The server is down.",
  onUsage: DecisionCall["onUsage"] = () => {}
): DecisionCall => ({
  model: "acme/judge",
  supportedParameters: new Set(supported),
  state,
  questions,
  contentBytes: Buffer.byteLength(JSON.stringify(state) + JSON.stringify(questions)),
  onUsage
})

/** The answer of one scripted reply; `body` replaces the whole envelope. */
export interface ScriptedReply {
  readonly content?: string | null
  readonly refusal?: string
  readonly finish?: string
  readonly top?: ReadonlyArray<readonly [token: string, logprob: number]>
  readonly logprobs?: unknown
  readonly usage?: readonly [input: number, output: number]
  readonly body?: unknown
  readonly status?: number
}

export const toCompletion = (reply: ScriptedReply): unknown =>
  reply.body ?? {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "judge-2030-01-01",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.content === undefined ? "1" : reply.content,
          refusal: reply.refusal ?? null
        },
        finish_reason: reply.finish ?? "stop",
        logprobs:
          reply.top === undefined
            ? (reply.logprobs ?? null)
            : {
                content: [
                  {
                    token: reply.top[0]?.[0],
                    logprob: reply.top[0]?.[1],
                    bytes: null,
                    top_logprobs: reply.top.map(([token, logprob]) => ({
                      token,
                      logprob,
                      bytes: [...Buffer.from(token)]
                    }))
                  }
                ]
              }
      }
    ],
    usage: {
      prompt_tokens: (reply.usage ?? [100, 1])[0],
      completion_tokens: (reply.usage ?? [100, 1])[1],
      total_tokens: 0
    }
  }

export interface ScriptedEndpoint {
  readonly requests: ReadonlyArray<ReceivedRequest>
  readonly listRequests: () => ReadonlyArray<ChatRequest>
  readonly waitForRequests: (count: number) => Effect.Effect<void>
  readonly url: string
  readonly decide: (call: DecisionCall) => Effect.Effect<DecisionReply, UpstreamFailure>
}

/** An endpoint that answers each request with `reply`, or not at all if it returns undefined. */
export const makeScriptedEndpoint = (
  reply: (
    request: ChatRequest,
    count: number,
    response: ServerResponse
  ) => ScriptedReply | undefined,
  options: OpenAiOptions = {}
): Effect.Effect<ScriptedEndpoint, never, Scope.Scope> => {
  let count = 0
  return Effect.map(
    startRecordingServer((request, response) => {
      const answer = reply(parseRequest(request), count++, response)
      if (answer !== undefined) sendJson(response, toCompletion(answer), answer.status)
    }),
    (server) => {
      const upstream = openai({ apiKey: "sk-of-the-house", baseUrl: server.url, ...options })
      return {
        ...server,
        listRequests: () => server.requests.map(parseRequest),
        decide: (call) =>
          Effect.provide(upstream.decisions!.decide(call), NodeHttpClient.layerUndici)
      }
    }
  )
}

/** The weights of a question in a reply. */
export const getWeights = ({ verdicts }: DecisionReply, name: string): ReadonlyArray<number> => {
  const verdict = verdicts.get(name)
  if (verdict === undefined) throw new Error(`no verdict on ${name}`)
  return verdict.weights
}
