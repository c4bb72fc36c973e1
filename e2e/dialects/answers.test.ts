/** What a provider of each dialect answers reaches the client of a chat, in the hard cases too. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { answerCases } from "./answerCases.ts"
import { askChat } from "./askChat.ts"
import { type Answer, DialectServer } from "./DialectServer.ts"
import { encodeEvents, sendNative, startStream } from "./sendNative.ts"
import { providerDialects } from "./ProviderDialect.ts"
import { speak } from "./speak.ts"

const question = { role: "user", content: "Is it calm at sea?" }

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

describe.each(providerDialects)("an answer of the dialect %s", (dialect) => {
  const told = answerCases.flatMap(({ native, ...rest }) => {
    const answer = native[dialect]
    if (typeof answer === "string") return []
    return [
      ...(answer.whole === undefined ? [] : [{ ...rest, answer, isStreamed: false }]),
      ...(answer.events === undefined ? [] : [{ ...rest, answer, isStreamed: true }])
    ].map((each) => ({ ...each, form: each.isStreamed ? "streamed" : "whole" }))
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
      const client = server.makeClient((text) => texts.push(text))
      const request = { model: `proof/${dialect}`, messages: [question] }
      const { error, ...summary } = await askChat(client, request, isStreamed)
      const { error: wanted, ...wantedSummary } = {
        ...expected,
        ...by?.[dialect],
        ...(isStreamed ? streamed : undefined)
      }
      expect(error?.code).toEqual(wanted?.code)
      expect(summary).toMatchObject(wantedSummary)
      expect(server.requests).toHaveLength(1)
      expect(texts[0]?.endsWith("data: [DONE]\n\n")).toBe(isStreamed && isBroken !== true)
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
    const stream = await server.makeClient().chat.completions.create({
      model: `proof/${dialect}`,
      messages: [{ role: "user", content: "Is it calm at sea?" }],
      stream: true
    })
    let id = ""
    for await (const chunk of stream) {
      id = chunk.id
      // Leaving the loop aborts the request.
      if (chunk.choices[0]?.delta.content === "All is ") break
    }
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
