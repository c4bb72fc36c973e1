/** The trace of a request in the headers of its answer and of its provider calls. */
import { Signalbox } from "@signalbox/node"
import { openai, rerank } from "@signalbox/openai"
import { sqlite } from "@signalbox/sql"
import { fault, ScriptedUpstream } from "@signalbox/testing"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { expect, onTestFinished, test } from "vitest"
import { recordSpans } from "../support/recordTelemetry.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const model = "test/model"
const messages = [{ role: "user", content: "Hello" }]
const apiKey = "sk-upstream-0123456789"

const makes = (output: string) => ({ card: { architecture: { output_modalities: [output] } } })

const questions = { polite: { type: "noul", instructions: "Is it polite?" } }

interface StartOptions {
  readonly isTraced?: boolean
  readonly sendTraceparent?: boolean
  readonly videoPollMillis?: number
  readonly videoSweepMillis?: number
  readonly stores?: "memory" | "sqlite"
}

const start = async ({ isTraced = true, stores, ...settings }: StartOptions = {}) => {
  const spans: Array<Tracer.NativeSpan> = []
  const upstream = await ScriptedUpstream.start()
  const instance = await Signalbox.make({
    upstreams: [
      openai({ apiKey, baseUrl: `${upstream.url}/v1` }),
      {
        slug: "jina",
        name: "Jina",
        rerank: rerank({ dialect: "jina", apiKey, baseUrl: `${upstream.url}/v1` }).rerank!
      }
    ],
    models: [
      { id: model, endpoints: [{ provider: "openai", price: {} }] },
      { id: "test/embed", ...makes("embeddings"), endpoints: [{ provider: "openai", price: {} }] },
      { id: "test/rank", ...makes("rerank"), endpoints: [{ provider: "jina", price: {} }] },
      { id: "test/film", ...makes("video"), endpoints: [{ provider: "openai", price: {} }] }
    ],
    keys: [{ key: "sk-ada", kind: "member", user: "ada" }],
    ...(stores === "sqlite" ? { stores: sqlite({ path: ":memory:" }) } : undefined),
    settings,
    ...(isTraced ? { telemetry: recordSpans(spans) } : undefined)
  })
  onTestFinished(async () => {
    await instance.close()
    await upstream.close()
  })
  const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await instance.fetch(
      new Request(`http://host.example/api/v1/${path}`, {
        method: "POST",
        headers: { authorization: "Bearer sk-ada", "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
    )
    await response.text()
    return response
  }
  return { ask, spans, upstream }
}

test.each([
  ["a chat", "chat/completions", { model, messages }],
  ["a streamed chat", "chat/completions", { model, messages, stream: true }],
  ["a message", "messages", { model, messages, max_tokens: 9 }],
  ["a streamed message", "messages", { model, messages, max_tokens: 9, stream: true }],
  ["a response", "responses", { model, input: "Hello" }],
  ["a streamed response", "responses", { model, input: "Hello", stream: true }],
  ["a Decision", "systemone", { model, state: "Hello", questions }],
  ["an embedding", "embeddings", { model: "test/embed", input: "Hello" }],
  ["a rerank", "rerank", { model: "test/rank", query: "Hello", documents: ["Hello there"] }]
])("%s has its span in its answer, and its attempt's at the provider", async (_, path, body) => {
  const { ask, spans, upstream } = await start()
  const response = await ask(path, body, {
    traceparent: `01-${traceId}-00f067aa0ba902b7-01-x`,
    "x-request-id": "r-1"
  })
  expect(response.ok).toBe(true)
  expect(response.headers.get("x-request-id")).toBe("r-1")
  const ofRequest = spans.find(({ kind }) => kind === "server")
  const [{ headers } = { headers: {} }] = upstream.requests
  const ofAttempt = spans.find(({ kind, name }) => kind === "client" && name.includes(" test/"))
  expect(ofRequest?.traceId).toBe(traceId)
  expect(response.headers.get("traceresponse")).toBe(`00-${traceId}-${ofRequest?.spanId}-01`)
  expect(headers).toMatchObject({ traceparent: `00-${traceId}-${ofAttempt?.spanId}-01` })
  expect(Object.keys(headers)).not.toContain("b3")
})

test.each(["memory", "sqlite"] as const)(
  "a video job continues the trace of its request, in %s",
  async (stores) => {
    const { ask, spans, upstream } = await start({
      stores,
      videoPollMillis: 5,
      videoSweepMillis: 10
    })
    upstream.videos.always("in_progress", "completed")
    const sent = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "x-request-id": "r-1" }
    const response = await ask("videos", { model: "test/film", prompt: "A tide pool" }, sent)
    expect(response.status).toBe(202)
    const ofRequest = spans.find(({ kind }) => kind === "server")
    expect(response.headers.get("traceresponse")).toBe(`00-${traceId}-${ofRequest?.spanId}-01`)
    expect(response.headers.get("x-request-id")).toBe("r-1")
    // Its submission, and a poll.
    const [submitted] = await upstream.waitForRequests(2)
    const ofAttempt = spans.find(({ name }) => name === "videos test/film")
    expect(Option.getOrUndefined(ofAttempt?.parent ?? Option.none())?.spanId).toBe(
      ofRequest?.spanId
    )
    expect(submitted?.headers).toMatchObject({
      traceparent: `00-${traceId}-${ofAttempt?.spanId}-01`
    })
    const ofCalls = spans.filter(
      ({ kind, name }) => kind === "client" && /^(?:GET|POST)/.test(name)
    )
    expect(ofCalls.slice(0, 2).map(({ name, traceId }) => [name, traceId])).toEqual([
      ["POST", traceId],
      ["GET", traceId]
    ])
  }
)

test("a video job continues no trace without a tracer", async () => {
  const { ask, upstream } = await start({ isTraced: false })
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const response = await ask("videos", { model: "test/film", prompt: "A tide pool" }, headers)
  expect(response.status).toBe(202)
  const [submitted] = await upstream.waitForRequests(1)
  expect(JSON.stringify(submitted?.headers)).not.toMatch(/trace|4bf92f3577b34da6/)
})

test("an error has the span of its request", async () => {
  const { ask, spans, upstream } = await start()
  upstream.always(fault.status(503))
  const response = await ask("chat/completions", { model, messages })
  expect(response.status).toBe(529)
  const ofRequest = spans.find(({ name }) => name === "chat")
  expect(response.headers.get("traceresponse")).toBe(
    `00-${ofRequest?.traceId}-${ofRequest?.spanId}-01`
  )
})

const silent: ReadonlyArray<readonly [string, StartOptions, boolean]> = [
  ["a tracer", { isTraced: false }, false],
  ["sendTraceparent", { sendTraceparent: false }, true]
]

test.each(silent)(
  "the provider learns nothing of the trace without %s",
  async (_, options, isAnswered) => {
    const { ask, upstream } = await start(options)
    const headers = {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      tracestate: "acme=1",
      baggage: "user=ada"
    }
    const response = await ask("chat/completions", { model, messages }, headers)
    expect(response.status).toBe(200)
    expect(response.headers.has("traceresponse")).toBe(isAnswered)
    expect(JSON.stringify(upstream.requests[0]?.headers)).not.toMatch(
      /trace|baggage|4bf92f3577b34da6/
    )
  }
)
