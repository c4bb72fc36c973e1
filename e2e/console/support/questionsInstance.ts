/** An instance with a slow and dear request, refused ones, two months of spending, a key near its limit, films and interns. */
import type { Signalbox as Instance } from "@signalbox/core"
import {
  defaultAccountId,
  defaultWorkspaceId,
  GenerationId,
  GenerationStore,
  KeyHash,
  NanoUsd,
  SpendCounters,
  UserId
} from "@signalbox/core/stores"
import type { ChatEvent, Upstream } from "@signalbox/core/upstream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { startConsoleInstance } from "./consoleInstance.ts"
import { fillOperations, operationsOptions } from "./operations.ts"

const usage = { inputTokens: 40_000, outputTokens: 30, cachedTokens: 10_000 }
const hurriedKey = "sk-console-hurried"
const spenderName = "nightly reports"

/** Reads much, and answers one word. */
const patient: Upstream = {
  slug: "patient",
  name: "Patient",
  chat: {
    complete: () => Effect.never,
    stream: () =>
      Stream.make<ReadonlyArray<ChatEvent>>(
        { type: "delta", choices: [{ index: 0, events: [{ type: "text", text: "Hi." }] }] },
        { type: "delta", choices: [{ index: 0, events: [], end: { reason: "stop" } }] },
        { type: "end", usage }
      ),
    estimateWorstCase: () => usage
  }
}

export const startQuestionsInstance = async (): Promise<{
  readonly instance: Instance
  readonly receiver: AsyncDisposable
}> => {
  const instance = await startConsoleInstance({
    ...operationsOptions,
    upstreams: [...operationsOptions.upstreams, patient],
    models: [
      ...operationsOptions.models,
      {
        id: "demo/slow",
        endpoints: [
          {
            provider: "patient",
            price: { prompt: "0.00001", completion: "0.00001", input_cache_read: "0.000001" }
          }
        ]
      }
    ],
    keys: [
      ...operationsOptions.keys,
      {
        key: hurriedKey,
        kind: "member",
        user: "grace",
        rateLimit: { requests: 1, windowMillis: 3_600_000 }
      }
    ]
  })
  const receiver = await fillOperations(instance)
  const hello = { model: "demo/slow", messages: [{ role: "user", content: "Hi" }], stream: true }
  for (const [key, body] of [
    [hurriedKey, hello],
    [hurriedKey, hello],
    ["sk-console-unknown", hello]
  ] as const) {
    const answer = await instance.fetch(
      new Request("http://console.test/api/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    )
    await answer.text()
  }
  await spend(instance)
  await recordSlow(instance)
  return { instance, receiver }
}

const dayMillis = 86_400_000

/** 10 cents on each of sixty days, by a key whose limit is nearly used up. */
const spend = async (instance: Instance): Promise<void> => {
  const { data } = await instance.keys.create({ name: spenderName, limit: 6.4 })
  const keyHash = KeyHash.make(data.hash)
  const store = Context.get(instance.context, GenerationStore)
  const counters = Context.get(instance.context, SpendCounters)
  const cost = NanoUsd.fromUsdNumber(0.1)
  const spender = {
    account: defaultAccountId,
    workspace: defaultWorkspaceId,
    keyHash,
    user: UserId.make("grace")
  }
  const now = Date.now()
  for (let day = 60; day > 0; day--) {
    const startedAt = now - day * dayMillis
    await Effect.runPromise(
      store.record([{ ...spender, ...makeRecord(`gen-past-${day}`, startedAt, cost, 100) }])
    )
    await Effect.runPromise(counters.record(spender, cost, false, startedAt))
  }
}

/** Slower than all that the machine makes slow while it is busy. */
const recordSlow = (instance: Instance): Promise<void> => {
  const { attempts, ...record } = makeRecord(
    "gen-slow",
    Date.now() - 60_000,
    NanoUsd.fromUsdNumber(0.1),
    600_000
  )
  return Effect.runPromise(
    Context.get(instance.context, GenerationStore).record([
      {
        ...record,
        account: defaultAccountId,
        workspace: defaultWorkspaceId,
        attempts: attempts.map((attempt) => ({ ...attempt, firstEventMillis: 590_000 }))
      }
    ])
  )
}

const makeRecord = (
  id: string,
  startedAt: number,
  cost: NanoUsd.NanoUsd,
  latencyMillis: number
) => ({
  id: GenerationId.make(id),
  operation: "chat" as const,
  startedAt,
  latencyMillis,
  requestedModel: "demo/slow",
  attempts: [
    { endpoint: "demo/slow@patient", provider: "Patient", outcome: "served", latencyMillis, cost }
  ],
  configuration: 1,
  rejected: [],
  demoted: [],
  model: "demo/slow",
  provider: "Patient",
  cost
})
