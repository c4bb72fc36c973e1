/** The system clock jumps while requests run: they are answered, timed and charged as if it had not. */
import { anthropic } from "@signalbox/anthropic"
import { GenerationStore } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { postgres, sqlite } from "@signalbox/sql"
import { pace, reply, ScriptedUpstream } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, inject, onTestFinished, test, vi } from "vitest"
import { findCredits } from "../support/findCredits.ts"
import { nodeHost } from "../support/hosts.ts"
import { jumpClock } from "../support/jumpClock.ts"
import { send } from "../support/send.ts"

const key = "sk-clock-jump-member-41d7"
const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis

const stores = {
  memory: () => undefined,
  sqlite: () => sqlite({ path: ":memory:" }),
  postgres: () =>
    postgres({ url: inject("postgresUrl"), schema: `clock-jump-${crypto.randomUUID()}` })
}

const messages = [{ role: "user", content: "Hello?" }]

/** A request of each kind, and the moment at which its answer is held back. */
const requests = {
  "a whole chat": {
    path: "/v1/chat/completions",
    body: { model: "proof/chat", max_tokens: 1_000, messages }
  },
  "a streamed chat": {
    path: "/v1/chat/completions",
    body: { model: "proof/chat", max_tokens: 1_000, messages, stream: true }
  },
  "a whole message": {
    path: "/v1/messages",
    body: { model: "proof/messages", max_tokens: 1_000, messages }
  },
  "a streamed message": {
    path: "/v1/messages",
    body: { model: "proof/messages", max_tokens: 1_000, messages, stream: true }
  },
  "a Decision": {
    path: "/alpha/decisions",
    body: {
      model: "proof/decisions",
      state: "I was charged twice!",
      questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
    }
  }
}

const usage = { inputTokens: 10, outputTokens: 5 }
/** 15 tokens at a thousandth of a dollar, in nano-USD. */
const cost = 15_000_000n

const start = async (store: keyof typeof stores) => {
  const upstream = await ScriptedUpstream.start()
  const made = stores[store]()
  const instance = await Signalbox.make({
    ...(made === undefined ? undefined : { stores: made }),
    upstreams: [
      openai({ slug: "chat", name: "Chat", apiKey: "sk-1", baseUrl: `${upstream.url}/v1` }),
      anthropic({ slug: "messages", name: "Messages", apiKey: "sk-2", baseUrl: upstream.url }),
      openrouter({ slug: "decisions", name: "Decisions", apiKey: "sk-3", baseUrl: upstream.url })
    ],
    models: ["chat", "messages", "decisions"].map((provider) => ({
      id: `proof/${provider}`,
      endpoints: [
        {
          provider,
          model: `at-${provider}`,
          price: { prompt: "0.001", completion: "0.001" },
          contextLength: 100_000
        }
      ]
    })),
    keys: [{ key, kind: "member", user: "mem-1" }],
    credits: { default: "1000" }
  })
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await upstream.close()
    await instance.close()
  })
  const ask = ({ body, path }: (typeof requests)[keyof typeof requests]) =>
    send(`${host.origin}/api${path}`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
    })
  const listRecords = async () => {
    const { rows } = await Effect.runPromise(
      Context.get(instance.context, GenerationStore).scan(0, { limit: 10 })
    )
    return rows
  }
  return { ask, instance, listRecords, upstream }
}

describe.each(Object.keys(stores) as Array<keyof typeof stores>)("with stores in %s", (store) => {
  describe.each([
    ["forward", dayMillis],
    ["back", -dayMillis]
  ])("a clock that jumps a day %s", (_, jump) => {
    test.each(Object.keys(requests) as Array<keyof typeof requests>)(
      "does not end %s, nor charge its worst case",
      async (kind) => {
        const { ask, instance, listRecords, upstream } = await start(store)
        const gate = upstream.gate()
        const step =
          kind === "a Decision"
            ? reply.decision({}, { usage })
            : reply.chat(["One ", "two."], { usage })
        const isStream = kind.includes("streamed")
        upstream.script(pace.hold(gate, isStream ? "response_body" : "request_body", step))
        upstream.always(step)
        const held = ask(requests[kind])
        await upstream.waitForRequests(1)
        jumpClock(jump)
        // Its reservation ends those that have expired.
        expect((await ask(requests[kind])).status).toBe(200)
        gate.open()
        expect((await held).status).toBe(200)
        await vi.waitFor(async () =>
          expect(await findCredits(instance)).toEqual({ settled: 2n * cost, reserved: 0n })
        )
        await vi.waitFor(async () => expect(await listRecords()).toHaveLength(2))
        for (const { latencyMillis } of await listRecords()) {
          expect(latencyMillis).toBeGreaterThanOrEqual(0)
          expect(latencyMillis).toBeLessThan(hourMillis)
        }
      }
    )
  })
})
