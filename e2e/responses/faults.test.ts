/** Failing providers behind the Responses API: the status before the first event, the failure after it, and the cost. */
import { fault, reply, type Step } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { getProperty } from "../support/getProperty.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { type ResponsesServer, startResponsesServer } from "./ResponsesServer.ts"

const price = { prompt: "0.001", completion: "0.01" }
const usage = { inputTokens: 10, outputTokens: 3 }
const healthy = reply.chat(["It ", "is ", "calm."], { usage })
/** What `healthy` costs, in USD. */
const cost = 0.04

const kept = ["It ", "is "]

interface Fault {
  readonly name: string
  readonly step: Step
  /** The status when no other endpoint can answer. */
  readonly alone: number
  /** What the failed attempt costs at most, in USD; default: nothing. */
  readonly atMost?: number
  /** The only form in which it occurs; default: both. */
  readonly form?: Form
}

type Form = "streamed" | "whole"
const forms: ReadonlyArray<Form> = ["whole", "streamed"]

/** The prompt, or the usage in the report of an error. */
const atMost = 0.1

/** Before the first event. */
const faults: ReadonlyArray<Fault> = [
  { name: "a rate limit", step: fault.status(429, { retryAfter: 7 }), alone: 429 },
  { name: "an error", step: fault.status(500), alone: 502 },
  { name: "an overload", step: fault.status(529), alone: 529 },
  { name: "a gateway timeout", step: fault.status(504), alone: 524, atMost },
  { name: "a refused credential", step: fault.status(401), alone: 502 },
  { name: "a missing model", step: fault.status(404), alone: 404 },
  { name: "a bad request", step: fault.status(400), alone: 400 },
  {
    name: "a prompt that is too long",
    step: fault.status(400, { kind: "context_length_exceeded" }),
    alone: 400
  },
  { name: "HTML", step: fault.notJson(), alone: 502 },
  { name: "an empty body", step: fault.empty(), alone: 502 },
  { name: "a dropped connection", step: fault.drop("request_body"), alone: 502 },
  { name: "headers and nothing more", step: fault.drop("response_headers", healthy), alone: 502 },
  { name: "a body cut short", step: fault.truncated("length", healthy), alone: 502, form: "whole" },
  { name: "an error inside a 200", step: fault.errorInBody(502), alone: 502 },
  {
    name: "an error instead of the first event",
    step: fault.errorEvent(502, []),
    alone: 502,
    atMost,
    form: "streamed"
  },
  {
    name: "an error after two events",
    step: fault.errorEvent(502, kept),
    alone: 502,
    atMost,
    form: "whole"
  }
]

const cases = faults.flatMap((each) =>
  forms.filter((form) => (each.form ?? form) === form).map((form) => ({ ...each, form }))
)

/** After two events, which rule out another provider. */
const lateFaults: ReadonlyArray<readonly [string, Step]> = [
  ["an error", fault.errorEvent(502, kept)],
  [
    "a dropped connection",
    fault.drop("response_body", reply.chat([...kept, 20, "calm.", "Never."]))
  ],
  ["a rate limit", fault.errorEvent(429, kept, "Please try again in 1.5s")]
]

const input = "Is it calm at sea?"

const ask = async (
  server: ResponsesServer,
  form: Form,
  request: object
): Promise<HttpResponse & { readonly response: unknown }> => {
  if (form === "whole") {
    const answer = await server.ask(request)
    return { ...answer, response: answer.body }
  }
  const answer = await server.stream(request)
  return { ...answer, response: answer.events.at(-1)?.["response"] }
}

describe.each(providerDialects)("a provider of %s", (dialect) => {
  const other = dialect === "chat" ? "responses" : "chat"

  test.each(cases)("that answers with $name, $form, alone", async ({ alone, form, step }) => {
    const server = await startResponsesServer({ price })
    server.providers[dialect].always(step)
    const answer = await ask(server, form, { model: `proof/${dialect}`, input })
    expect(answer.status).toBe(alone)
    expect(answer.headers["content-type"]).toContain("application/json")
    expect(answer.body).toMatchObject({ error: { code: alone, message: expect.any(String) } })
    expect(await server.findRecord(answer.headers["x-generation-id"])).toMatchObject({
      api: "responses",
      attempts: [{ provider: dialect }]
    })
    expect(server.providers[dialect].requests).toHaveLength(1)
  })

  test.each(cases)(
    "that answers with $name, $form, before a healthy one",
    async ({ atMost: extra = 0, form, step }) => {
      const server = await startResponsesServer({ price })
      server.providers[dialect].always(step)
      server.providers[other].always(healthy)
      const models = [`proof/${dialect}`, `proof/${other}`]
      const { headers, response, status } = await ask(server, form, { models, input })
      expect(status).toBe(200)
      expect(response).toMatchObject({
        status: "completed",
        model: `proof/${other}`,
        output: [{ content: [{ text: "It is calm." }] }]
      })
      const record = await server.findRecord(headers["x-generation-id"])
      expect(record?.attempts.map(({ outcome }) => outcome === "served")).toEqual([false, true])
      const charged = Number(record?.cost) / 1e9
      expect(getProperty(getProperty(response, "usage"), "cost")).toBeCloseTo(charged, 9)
      expect(charged).toBeGreaterThanOrEqual(cost)
      expect(charged).toBeLessThanOrEqual(cost + extra + 1e-9)
    }
  )

  test.each(lateFaults)("that fails with %s after two events", async (_, step) => {
    const server = await startResponsesServer({ price })
    server.providers[dialect].always(step)
    server.providers[other].always(healthy)
    const models = [`proof/${dialect}`, `proof/${other}`]
    const { events, headers, status, text } = await server.stream({ models, input })
    expect(status).toBe(200)
    expect(text).toContain('"delta":"It ')
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: "response.failed",
      response: { status: "failed", model: `proof/${dialect}`, output: [{ status: "incomplete" }] }
    })
    const error = getProperty(getProperty(last, "response"), "error")
    expect(["rate_limit_exceeded", "server_error"]).toContain(getProperty(error, "code"))
    expect(server.providers[other].requests).toHaveLength(0)
    const record = await server.findRecord(headers["x-generation-id"])
    expect(record?.attempts).toHaveLength(1)
    const { cost: told } = Object(getProperty(getProperty(last, "response"), "usage"))
    expect(told ?? 0).toBeCloseTo(Number(record?.cost ?? 0n) / 1e9, 9)
  })
})
