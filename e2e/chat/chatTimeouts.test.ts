/** A stream that exceeds the size limit ends with an error, a record and a settled bill. */
import { defaultAccountId } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { reply } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, slugs, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

test.each(decisionMethods.slice(0, 2))(
  "$name: an endless stream is cut off at the size limit",
  async (method) => {
    await using server = await TestServer.start({
      method,
      price: { prompt: "0.000001", completion: "0.000002" },
      credits: { default: "1000" },
      settings: { maxStreamBytes: 100_000 }
    })
    const { first } = server.upstreams
    const word = "word ".repeat(100)
    first.always(reply.chat([...Array.from({ length: 1_000 }, () => word), first.gate()]))

    const answer = await send(`${server.root}/api/v1/chat/completions`, {
      body: JSON.stringify({
        model: "proof/model",
        messages: [{ role: "user", content: "Tell me all." }],
        max_tokens: 100_000,
        provider: { order: slugs },
        stream: true
      }),
      headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
    })

    const { chunks, isDone } = parseChatEvents(answer.text)
    expect(answer.text.length).toBeLessThan(200_000)
    expect(isDone).toBe(false)
    expect(chunks.slice(0, -1).length).toBeGreaterThan(50)
    expect(chunks.at(-1)).toMatchObject({
      error: { code: 502 },
      choices: [{ finish_reason: "error" }]
    })
    expect(server.calls).toEqual({ first: 1, second: 0 })
    await first.waitForAborts(1)

    const record = await server.generation(getProperty(chunks[0], "id"))
    expect(record).toMatchObject({
      error: "AttemptsFailed",
      streamed: true,
      attempts: [{ outcome: "invalid_answer" }]
    })
    expect(record?.usage?.outputTokens).toBeGreaterThan(1_000)
    const credits = await Effect.runPromise(
      Context.get(server.instance.context, Ledger).findCredits(defaultAccountId)
    )
    expect(credits?.reserved).toBe(0n)
    expect(credits?.settled).toBe(record?.cost)
    expect(record?.cost).toBeGreaterThan(0n)
  }
)
