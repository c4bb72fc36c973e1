import type { CallerConfig } from "@signalbox/core"
import type { DecisionReply, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Signalbox } from "../src/index.ts"
import { countFiberWork } from "./countFiberWork.ts"

const request = {
  model: "a/b",
  state: "The lamp has arrived.",
  questions: { calm: { type: "noul", instructions: "Is it calm?" } }
} as const

const reply: DecisionReply = {
  verdicts: new Map([["calm", { weights: [1, 0] }]]),
  usage: { inputTokens: 1, outputTokens: 1 },
  method: "native"
}

const toOptions = (answer: Effect.Effect<DecisionReply>) => {
  const upstream: Upstream = {
    slug: "one",
    name: "One",
    decisions: {
      decide: () => answer,
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
    }
  }
  const price = { prompt: "0.000001", completion: "0.000001" }
  return {
    upstreams: [upstream],
    models: [{ id: "a/b", endpoints: [{ provider: "one", price, contextLength: 1_000 }] }]
  }
}

const key = "sk-test-management"

/** Under an account setting, credits, a limit of the caller, a workspace budget, a guardrail, and with a credential. */
const startRestricted = async (answer: Effect.Effect<DecisionReply>): Promise<Signalbox> => {
  const instance = await Signalbox.make({
    ...toOptions(answer),
    accounts: [{ id: "default", only: ["one"] }],
    credits: { default: "10" },
    sealing: { current: "now", keys: { now: "0123456789abcdef0123456789abcdef" } },
    credentials: [{ provider: "one", name: "mine", key: "sk-of-the-customer" }],
    keys: [{ key, kind: "management" }]
  })
  const manage = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const response = await instance.fetch(
      new Request(`http://localhost/api/v1/${path}`, {
        method,
        headers,
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    expect(response.ok).toBe(true)
    // Only the id of the default guardrail is read.
    return (await response.json()) as { readonly data: { readonly default_guardrail_id: string } }
  }
  await manage("PUT", "workspaces/default/budgets/weekly", {
    limit_usd: 5,
    include_byok_in_budgets: true
  })
  const { data } = await manage("GET", "workspaces/default")
  await manage("PATCH", `guardrails/${data.default_guardrail_id}`, {
    allowed_models: ["a/b"],
    limit_usd: 4,
    reset_interval: "daily",
    include_byok_in_budgets: true
  })
  return instance
}

const ada: CallerConfig = {
  kind: "member",
  user: "ada",
  limit: 3,
  limitReset: "daily",
  includeByokInLimit: true
}

interface CostCase {
  readonly name: string
  readonly start: (answer: Effect.Effect<DecisionReply>) => Promise<Signalbox>
  readonly decide: (instance: Signalbox) => ReturnType<Signalbox["decide"]>
}

const cases: ReadonlyArray<CostCase> = [
  {
    name: "in process",
    start: (answer) => Signalbox.make(toOptions(answer)),
    decide: (instance) => instance.decide(request)
  },
  {
    name: "under every restriction, on a credential of the customer",
    start: startRestricted,
    // With a new object for the caller, as most hosts do.
    decide: (instance) => instance.decide(request, { caller: { ...ada } })
  }
]

describe.each(cases)("a Decision $name", ({ decide, start }) => {
  const instances: Array<Signalbox> = []
  let immediate: Signalbox
  let waiting: Signalbox

  beforeAll(async () => {
    immediate = await start(Effect.succeed(reply))
    waiting = await start(
      Effect.callback<DecisionReply>((resume) => {
        setImmediate(() => resume(Effect.succeed(reply)))
      })
    )
    instances.push(immediate, waiting)
    // The first request fills caches and opens the credential.
    for (const instance of instances) await decide(instance)
  })
  afterAll(() => Promise.all(instances.map((instance) => instance.close())))

  it("needs no fiber when the upstream answers at once", async () => {
    const work = await countFiberWork(() => decide(immediate))
    expect(work).toEqual({ fibers: 0, runLoops: 0, contexts: 0 })
  })

  it("needs two fibers when the code of the upstream waits: for the request and for the attempt", async () => {
    const work = await countFiberWork(() => decide(waiting))
    expect(work).toEqual({ fibers: 2, runLoops: 4, contexts: 2 })
  })

  it("answers alike", async () => {
    const [now, later] = await Promise.all(instances.map(decide))
    expect({ ...now, id: "" }).toEqual({ ...later, id: "" })
  })
})
