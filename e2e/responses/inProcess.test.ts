/** Responses in process, whole and as events, at providers of every dialect. */
import { SignalboxError, type Signalbox } from "@signalbox/core"
import type { ResponsesEvent, ResponsesRequest } from "@signalbox/core/contract"
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { startResponsesServer } from "./ResponsesServer.ts"

const usage = { inputTokens: 10, outputTokens: 3 }
const calm = reply.chat(["It ", "is ", "calm."], { usage })

const makeRequest = (model: string) =>
  ({
    model,
    instructions: "You keep a lighthouse.",
    input: [{ role: "user" as const, content: "Is it calm at sea?" }]
  }) satisfies ResponsesRequest

const collect = async (instance: Signalbox, request: ResponsesRequest) => {
  const events: Array<ResponsesEvent> = []
  let error: unknown
  try {
    for await (const event of instance.streamResponses(request)) events.push(event)
  } catch (thrown) {
    error = thrown
  }
  return { error, events }
}

describe.each(providerDialects)("responses in process, at a provider of %s", (dialect) => {
  const request = makeRequest(`proof/${dialect}`)

  test("are answered as a whole", async () => {
    const { instance, providers } = await startResponsesServer()
    providers[dialect].always(calm)
    const response = await instance.responses({ ...request, stream: true })
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text: "It is calm." }] }],
      usage: { input_tokens: 10, output_tokens: 3 }
    })
  })

  test("are answered in events", async () => {
    const { instance, providers } = await startResponsesServer()
    providers[dialect].always(calm)
    const { error, events } = await collect(instance, request)
    expect(error).toBeUndefined()
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_, index) => index)
    )
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress"
    ])
    const deltas = events.flatMap((event) =>
      event.type === "response.output_text.delta" ? [event.delta] : []
    )
    expect(deltas.join("")).toBe("It is calm.")
    const last = events.at(-1)
    expect(last).toMatchObject({ type: "response.completed", response: { status: "completed" } })
  })

  test("throw when the answer breaks off", async () => {
    const { instance, providers } = await startResponsesServer()
    providers[dialect].always(fault.errorEvent(502, ["It ", "is "]))
    const { error, events } = await collect(instance, request)
    expect(error).toBeInstanceOf(SignalboxError)
    expect(events.some(({ type }) => type === "response.output_text.delta")).toBe(true)
    expect(events.some(({ type }) => type === "response.completed")).toBe(false)
  })

  test("throw what is wrong with a request", async () => {
    const { instance } = await startResponsesServer()
    const stored = { ...request, extra: { store: true } }
    await expect(instance.responses(stored)).rejects.toMatchObject({ status: 400 })
    const { error } = await collect(instance, stored)
    expect(error).toMatchObject({ status: 400 })
  })

  test("end the call at the provider when the loop is left", async () => {
    const { instance, providers } = await startResponsesServer()
    const provider = providers[dialect]
    provider.always(reply.chat(["It ", "is ", provider.gate(), "calm."]))
    for await (const event of instance.streamResponses(request)) {
      if (event.type === "response.output_text.delta") break
    }
    await provider.waitForAborts(1)
    expect(provider.requests).toHaveLength(1)
  })
})
