/** The faults of a provider, as clients of Anthropic's API see them: a status before the first byte, an event after. */
import { fault, pace, reply, type Step } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { hello, MessagesServer, type Provider } from "./MessagesServer.ts"
import type { EventJson } from "./readEvents.ts"

interface Fault {
  readonly name: string
  readonly step: Step
  readonly status: number
  readonly type: string
  /** Default: both. */
  readonly form?: "streamed" | "whole"
}

const faults: ReadonlyArray<Fault> = [
  ...(
    [
      [401, 502, "api_error"],
      [402, 502, "api_error"],
      [403, 502, "api_error"],
      [404, 404, "not_found_error"],
      [408, 504, "timeout_error"],
      [429, 429, "rate_limit_error"],
      [500, 502, "api_error"],
      [503, 529, "overloaded_error"],
      [529, 529, "overloaded_error"]
    ] as const
  ).map(([code, status, type]) => ({
    name: `the status ${code}`,
    step: fault.status(code),
    status,
    type
  })),
  { name: "an error in a 200", step: fault.errorInBody(502), status: 502, type: "api_error" },
  {
    name: "an error as the first event",
    step: fault.errorEvent(502, []),
    status: 502,
    type: "api_error",
    form: "streamed"
  },
  { name: "no JSON", step: fault.notJson(), status: 502, type: "api_error" },
  { name: "an empty body", step: fault.empty(), status: 502, type: "api_error" },
  {
    name: "a reset before the headers",
    step: fault.drop("request_body", reply.chat("All")),
    status: 502,
    type: "api_error"
  },
  {
    name: "a body shorter than declared",
    step: fault.truncated("length", reply.chat("All is calm.")),
    status: 502,
    type: "api_error",
    form: "whole"
  },
  {
    name: "silence",
    step: fault.silent("request_body", reply.chat("All")),
    status: 504,
    type: "timeout_error"
  },
  {
    name: "an answer that comes too late",
    step: pace.delay(600_000),
    status: 504,
    type: "timeout_error"
  }
]

const settings = {
  chatTimeoutMillis: 2_000,
  headersTimeoutMillis: 1_000,
  firstEventTimeoutMillis: 1_000
}

const cases = faults.flatMap((each) =>
  (["whole", "streamed"] as const).flatMap((form) =>
    each.form === undefined || each.form === form ? [{ ...each, form }] : []
  )
)

const others = { messages: "chat", chat: "messages" } as const satisfies Partial<
  Record<Provider, Provider>
>

/** The message that the events of one text make. */
const putTogether = (events: ReadonlyArray<EventJson>) => {
  const [start] = events
  const { delta, usage } = Object(events.at(-2))
  const text = events.map(({ delta }) => Object(delta).text ?? "").join("")
  return { ...Object(start?.["message"]), ...delta, usage, content: [{ type: "text", text }] }
}

describe.each(["messages", "chat"] as const)("a provider of the API %s", (provider) => {
  test.each(pickSample(cases, 12))("that fails with $name, $form", async (each) => {
    await using server = await MessagesServer.start({ settings })
    server.upstreams[provider].script(each.step)
    const stream = each.form === "streamed"
    const response = await server.post({ ...hello, model: `proof/${provider}`, stream })
    const { "x-generation-id": id } = response.headers
    expect([response.status, response.headers["content-type"]]).toEqual([
      each.status,
      "application/json"
    ])
    expect(response.body).toMatchObject({
      type: "error",
      error: { type: each.type, message: expect.stringContaining(provider) },
      request_id: id
    })
    expect(response.headers["request-id"]).toBe(id)
  })

  test.each(pickSample(cases, 6))(
    "is followed by one of another API after $name, $form",
    async ({ form, name, step, type }) => {
      await using server = await MessagesServer.start({ settings })
      const other = others[provider]
      server.upstreams[provider].script(step)
      server.upstreams[other].always(
        reply.chat(["All ", "is ", "calm."], { usage: { inputTokens: 11, outputTokens: 3 } })
      )
      const request = {
        ...hello,
        model: "proof/all",
        provider: { order: [provider, other], allow_fallbacks: false }
      }
      // A provider that keeps quiet may have worked, and one of this API tells its prompt before an error: both are charged.
      const isCharged =
        type === "timeout_error" ||
        (provider === "messages" && name === "an error as the first event")
      const usage = isCharged ? {} : { input_tokens: 11, output_tokens: 3, cost: 0.000_13 }
      const answer =
        form === "whole"
          ? (await server.post(request)).body
          : putTogether((await server.stream(request)).events)
      expect(answer).toMatchObject({
        provider: other,
        model: "proof/all",
        content: [{ type: "text", text: "All is calm." }],
        stop_reason: "end_turn",
        usage
      })
      expect(server.upstreams[other].requests).toHaveLength(1)
    }
  )

  test.each([
    ["an error", fault.errorEvent(502, ["All ", "is "])],
    ["a reset", fault.drop("response_body", reply.chat(["All ", "is ", "calm."]))],
    ["an early end", fault.truncated("chunked", reply.chat(["All ", "is ", "calm."]))]
  ] as const)("that breaks off with %s ends the stream, and no other is asked", async (_, step) => {
    await using server = await MessagesServer.start({ settings })
    server.upstreams[provider].script(step)
    const { events, headers } = await server.stream({
      ...hello,
      model: "proof/all",
      provider: { order: [provider] }
    })
    expect(events[0]).toMatchObject({ type: "message_start" })
    expect(events.at(-1)).toMatchObject({
      type: "error",
      error: { type: "api_error", message: expect.any(String) },
      request_id: headers["x-generation-id"]
    })
    expect(events.filter(({ type }) => type === "message_stop")).toEqual([])
    const asked = Object.values(server.upstreams).flatMap(({ requests }) => requests)
    expect(asked).toHaveLength(1)
  })

  test("that refuses the request is quoted, so that clients can mend it", async () => {
    await using server = await MessagesServer.start()
    const message = "messages.1.content.0: thinking blocks cannot be modified"
    server.upstreams[provider].script(fault.status(400, { message }))
    const { body, status } = await server.post({ ...hello, model: `proof/${provider}` })
    expect([status, body]).toMatchObject([
      400,
      { error: { type: "invalid_request_error", message: expect.stringContaining(message) } }
    ])
  })

  test("whose wait is long is waited for a minute at most", async () => {
    await using server = await MessagesServer.start()
    server.upstreams[provider].script(fault.status(429, { retryAfter: 86_400 }))
    const { headers } = await server.post({ ...hello, model: `proof/${provider}` })
    expect(Number(headers["retry-after"])).toBeGreaterThan(0)
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60)
  })
})
