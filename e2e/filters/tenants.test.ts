/** Tenants that ask at once get their own contents back, and providers get contents of nobody. */
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { expect, onTestFinished, test } from "vitest"

const tenants = ["acme", "globex", "initech"]

test("two tenants who use the same placeholder at once never see each other's contents", async () => {
  const requests: Array<string> = []
  /** Resolves when all tenants of a round have asked, so that all requests are under way together. */
  let meeting = Promise.withResolvers<void>()
  let waiting = 0
  const upstream: Upstream = {
    slug: "echo",
    name: "Echo",
    chat: {
      complete: (call) =>
        Effect.promise(async () => {
          const request = JSON.stringify(call.conversation)
          requests.push(request)
          waiting++
          if (waiting === tenants.length) meeting.resolve()
          await meeting.promise
          return {
            choices: [
              {
                index: 0,
                answer: {
                  // One that it was given, and one that only others may have been given.
                  parts: [{ type: "text", text: "[EMAIL_1] and [EMAIL_2]" }],
                  end: { reason: "stop" }
                }
              }
            ],
            usage: { inputTokens: 1, outputTokens: 1 }
          } as const
        }),
      stream: () => {
        throw new Error("it is not called")
      },
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
    }
  }
  const records: Array<string> = []
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: [
      {
        id: "proof/echo",
        endpoints: [{ provider: "echo", price: { prompt: "0", completion: "0" } }]
      }
    ],
    broadcast: [(record) => void records.push(JSON.stringify(record))]
  })
  onTestFinished(() => instance.close())
  for (const account of tenants) {
    await instance.guardrails.update(
      {
        id: "ffffffff-0000-4000-8000-000000000000",
        content_filter_builtins: [{ slug: "email", action: "redact", restore: true }]
      },
      { caller: { account, kind: "management" } }
    )
  }
  for (let round = 0; round < 20; round++) {
    meeting = Promise.withResolvers()
    waiting = 0
    const answers = await Promise.all(
      tenants.map(async (account) => {
        const content = `Write to ${account}-${round}@example.com`
        const { choices } = await instance.chat(
          { model: "proof/echo", messages: [{ role: "user", content }] },
          { caller: { account, kind: "member", user: "ada" } }
        )
        return choices[0]?.message.content
      })
    )
    expect(answers).toEqual(
      tenants.map((account) => `${account}-${round}@example.com and [EMAIL_2]`)
    )
  }
  expect(requests).toHaveLength(60)
  for (const text of [...requests, ...records]) expect(text).not.toContain("example.com")
})
