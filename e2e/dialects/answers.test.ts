/** What a provider of each dialect answers reaches the client of each API, in the hard cases too. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ChatSummary } from "./askChat.ts"
import { answerCases } from "./answerCases.ts"
import { type Answer, DialectServer } from "./DialectServer.ts"
import type { Json } from "./NativeAnswer.ts"
import { chatApi, inboundApis } from "./InboundApi.ts"
import { encodeEvents, sendNative, startStream } from "./sendNative.ts"
import { providerDialects } from "./ProviderDialect.ts"
import { speak } from "./speak.ts"

const question = { role: "user", content: "Is it calm at sea?" }

/** What a client of any API can tell. Arguments are an object in some, which does not keep their spelling. */
const pickCommon = (summary: Partial<ChatSummary>): Partial<ChatSummary> =>
  Object.fromEntries(
    Object.entries(summary).flatMap(([name, value]) =>
      onlyInChat.has(name) ? [] : [[name, name === "calls" ? respellCalls(value) : value]]
    )
  )

const onlyInChat: ReadonlySet<string> = new Set(["details", "nativeFinish", "pieces"])

const respellCalls = (calls: unknown): unknown =>
  (Array.isArray(calls) ? calls : []).map((call: Json) => ({
    ...call,
    arguments: respell(call["arguments"])
  }))

const respell = (text: unknown): unknown => {
  try {
    return JSON.stringify(text === "" ? {} : JSON.parse(String(text)))
  } catch {
    return text
  }
}

/** An object cannot be cut. */
const cutArguments = "5. arguments cut by the cap"

const start = async (answer: Answer) => {
  const server = await DialectServer.start({
    answer,
    price: { prompt: "0.000001", completion: "0.000002" }
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

/** One byte after the other, each when the one before has left. */
const sendBytes = (response: ServerResponse, text: string): void => {
  const bytes = Buffer.from(text)
  response.socket?.setNoDelay(true)
  const sendFrom = (at: number): void => {
    if (at === bytes.length) response.end()
    else response.write(bytes.subarray(at, at + 1), () => setImmediate(sendFrom, at + 1))
  }
  sendFrom(0)
}

const pairs = inboundApis.flatMap((api) =>
  providerDialects.map((dialect) => ({ api, dialect, name: api.name }))
)

describe.each(pairs)("an answer of the dialect $dialect, by the API $name", ({ api, dialect }) => {
  const told = answerCases.flatMap(({ breaks = [], native, ...rest }) => {
    const answer = native[dialect]
    // A client of the same API gets the provider's answer unchanged.
    const isRaw = api !== chatApi && api.name === dialect
    if (typeof answer === "string" || (isRaw && breaks.includes(dialect))) return []
    return [
      ...(answer.whole === undefined ? [] : [{ ...rest, answer, isStreamed: false }]),
      ...(answer.events === undefined ? [] : [{ ...rest, answer, isStreamed: true }])
    ]
      .filter(
        ({ isStreamed, name }) => isStreamed || api.name !== "messages" || name !== cutArguments
      )
      .map((each) => ({ ...each, form: each.isStreamed ? "streamed" : "whole" }))
  })

  test.each(told)(
    "$name, $form",
    async ({ answer, by, expected, isBroken, isCut, isStreamed, streamed }) => {
      const server = await start((request, response) => {
        if (isCut !== true) return sendNative(answer, request, response)
        if (isStreamed) {
          startStream(response)
          return sendBytes(response, encodeEvents(answer.events ?? []))
        }
        response.writeHead(200, { "content-type": "application/json" })
        return sendBytes(response, JSON.stringify(answer.whole))
      })
      const texts: Array<string> = []
      const request = { model: `proof/${dialect}`, ...api.toBody([question]) }
      const { error, ...summary } = await api.ask(server, request, isStreamed, (text) =>
        texts.push(text)
      )
      const { error: wanted, ...wantedSummary } = {
        ...expected,
        ...by?.[dialect],
        ...(isStreamed ? streamed : undefined)
      }
      expect(error?.code).toEqual(wanted?.code)
      const toCommon = api === chatApi ? identity : pickCommon
      expect(toCommon(summary)).toMatchObject(toCommon(wantedSummary))
      expect(server.requests).toHaveLength(1)
      expect(texts[0]?.endsWith("data: [DONE]\n\n")).toBe(
        isStreamed &&
          (api.done === "always"
            ? texts[0]?.startsWith("{") === false
            : api.done === "complete" && isBroken !== true)
      )
      expect(texts[0]).not.toContain("\uFFFD")
    }
  )

  test("30. that its caller leaves midway is aborted, and its usage settled", async () => {
    const { events = [] } = speak({ said: [{ text: ["All is ", "calm."] }] })[dialect]
    const server = await start((_, response) => {
      startStream(response)
      const begun = events.findIndex(({ data }) => JSON.stringify(data).includes("All is "))
      response.write(encodeEvents(events.slice(0, begun + 1)))
    })
    const id = await api.leave(server, { model: `proof/${dialect}`, ...api.toBody([question]) })
    await Effect.runPromise(server.requests[0]!.aborted)
    await expect.poll(() => server.findRecord(id)).toBeDefined()
    const record = await server.findRecord(id)
    expect(record).toMatchObject({ streamed: true, attempts: [{ outcome: "interrupted" }] })
    const spent = (record?.usage?.inputTokens ?? 0) + (record?.usage?.outputTokens ?? 0)
    expect(spent).toBeGreaterThan(0)
    expect(record?.cost).toBe(record?.attempts[0]?.cost)
    expect(record?.cost).toBeGreaterThan(0)
  })
})
