/**
 * Prints the bytes that each step of a Decision allocates by itself, and each step of a chat by the three APIs that have
 * their own providers: read the request, plan, call, read and check the answer, price, write, record.
 *
 * Usage: node bench/steps.ts [calls per round] [part of a name] (needs Node 26)
 */
import { Signalbox } from "@signalbox/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { hostCaller } from "../packages/core/src/tenants/auth/Caller.ts"
import { Decisions } from "../packages/core/src/domains/decisions/Decisions.ts"
import { checkReply } from "../packages/core/src/domains/decisions/DecisionWork.ts"
import { parseDecisionRequest } from "../packages/core/src/domains/decisions/parseDecisionRequest.ts"
import { Health } from "../packages/core/src/engine/health/Health.ts"
import { assessCharge } from "../packages/core/src/routing/attempt/assessCharge.ts"
import type { RouteAttempt } from "../packages/core/src/routing/attempt/RouteAttempt.ts"
import { plan } from "../packages/core/src/routing/plan/plan.ts"
import { priceWeighted } from "../packages/core/src/routing/plan/strategies/strategies.ts"
import * as Preferences from "../packages/core/src/routing/Preferences.ts"
import { toGeneration } from "../packages/core/src/routing/record/toGeneration.ts"
import { Settings } from "../packages/core/src/instance/Settings.ts"
import { GenerationId } from "../packages/core/src/values/ids/GenerationId.ts"
import { ModelSlug } from "../packages/core/src/values/ids/Ids.ts"
import { inMemoryUpstream, reply } from "./budgets/inMemoryUpstream.ts"
import { measureBytes } from "./budgets/measureBytes.ts"
import { decisionRequest } from "./decisionRequest.ts"
import { chatSteps, type Steps } from "./steps/chatSteps.ts"

const [given = "10000", part = ""] = process.argv.slice(2)
const calls = Number(given)

const signalbox = await Signalbox.make({
  upstreams: ["alpha", "beta", "gamma"].map((slug) => inMemoryUpstream(slug)),
  models: [
    {
      id: "bench/judge",
      endpoints: ["alpha", "beta", "gamma"].map((provider, index) => ({
        provider,
        contextLength: 8_192,
        price: { prompt: `0.00000${index + 1}`, completion: "0" }
      }))
    }
  ]
})
const settings = Context.get(signalbox.context, Settings)
const health = Context.get(signalbox.context, Health)
const decisions = Context.get(signalbox.context, Decisions)

const text = JSON.stringify(decisionRequest)
const parse = () => parseDecisionRequest(text, { bytes: text.length, settings })
const parsed = Result.getOrThrow(parse())
const prepare = () => decisions.plan(hostCaller, parsed)
const planned = await Effect.runPromise(prepare())
const { ordered } = planned.plan
const [candidate] = ordered
if (candidate === undefined) throw new Error("there is no candidate")
const answered = Exit.succeed({ usage: reply.usage })
const assess = () => assessCharge(candidate, answered, undefined, undefined, 0)
const attempted: RouteAttempt = {
  candidate,
  chargedAt: 0,
  startedAt: 0,
  latencyMillis: 5,
  ...assess()
}
const attempts = [attempted]

const decisionSteps: Steps = {
  "parse (text to request)": parse,
  "prepare (load, plan)": prepare,
  plan: () =>
    plan({
      models: [{ id: ModelSlug.make("bench/judge") }],
      candidates: ordered,
      preferences: Preferences.none,
      constraints: [],
      requirements: { parameters: [], inputTokens: 200, outputTokens: 0 },
      health: planned.health,
      minSamples: 10,
      seed: 1,
      strategy: priceWeighted
    }),
  "claim (breaker)": () => health.claim(candidate.id),
  "assess (usage, cost)": assess,
  "check (reply to answers)": () => checkReply(parsed.request.questions, reply),
  "health (outcome)": () =>
    health.record({
      endpoint: candidate.id,
      startedAt: Date.now(),
      at: Date.now(),
      result: "success",
      latencyMillis: 5
    }),
  "record (generation)": () =>
    toGeneration({
      id: GenerationId.make("gen-dec-1-x"),
      caller: hostCaller,
      operation: "decisions",
      requestedModel: "bench/judge",
      models: ["bench/judge"],
      preferences: {},
      labels: {},
      isStreamed: false,
      startedAt: 0,
      latencyMillis: 5,
      planned,
      configuration: 1,
      attempts,
      exit: Exit.succeed({ value: reply, candidate, attempts }),
      toAnswerFacts: ({ method, model }) => ({ method, model })
    }),
  "whole Decision": () => signalbox.decide(decisionRequest)
}

/** What waiting for a step costs by itself. */
const base = await measureBytes(async () => {}, calls)
const rows: Array<Record<string, string | number>> = []
for (const [request, steps] of Object.entries({ Decision: decisionSteps, ...chatSteps })) {
  for (const [step, run] of Object.entries(steps)) {
    if (!`${request} ${step}`.includes(part)) continue
    const bytes = await measureBytes(async () => run(), calls)
    rows.push({ request, step, bytes: Math.round(bytes - base) })
  }
}
console.table(rows)
process.exit(0)
