/** Replays a trace through the product's plans, against endpoints that each have a prompt cache of their own. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Endpoint from "../../packages/core/src/engine/catalog/endpoint/Endpoint.ts"
import { Health } from "../../packages/core/src/engine/health/Health.ts"
import { AffinityPins } from "../../packages/core/src/routing/affinity/AffinityPins.ts"
import type { ConversationTraits } from "../../packages/core/src/routing/affinity/ConversationTraits.ts"
import {
  findAffinity,
  followSuccess
} from "../../packages/core/src/routing/affinity/findAffinity.ts"
import * as Candidate from "../../packages/core/src/routing/Candidate.ts"
import { makeRandom } from "../../packages/core/src/routing/plan/makeRandom.ts"
import { plan } from "../../packages/core/src/routing/plan/plan.ts"
import { priceWeighted } from "../../packages/core/src/routing/plan/strategies/strategies.ts"
import type { Preferences } from "../../packages/core/src/routing/Preferences.ts"
import { makeVirtualClock } from "../../packages/core/src/domains/simulator/engine/VirtualClock.ts"
import { defaults } from "../../packages/core/src/instance/Settings.ts"
import { ModelSlug } from "../../packages/core/src/values/ids/Ids.ts"
import { PromptCache } from "./PromptCache.ts"
import type { TracedChat } from "./readTrace.ts"

export interface Replay {
  readonly chats: ReadonlyArray<TracedChat>
  /** USD for a million prompt tokens, of each endpoint. */
  readonly prices: ReadonlyArray<number>
  /** The price of cached tokens as a share of the usual price; default 0.1. */
  readonly cachedPrice?: number
  /** What identifies a conversation; `none`: affinity is off. */
  readonly by: "none" | "opener" | "session"
  readonly seed: number
  /** Instances that share nothing, and take turns by chance; default 1. */
  readonly processes?: number
  /** The share of the calls that an endpoint refuses; default 0. */
  readonly refusals?: number
  /** When the busiest endpoint dies for good, as a share of the trace; absent: never. */
  readonly diesAt?: number
  readonly preferences?: Preferences
}

export interface ReplayResult {
  /** The share of prompt tokens that came from caches. */
  readonly cached: number
  /** The same in the last quarter of the trace. */
  readonly cachedAtEnd: number
  /** USD for a million prompt tokens. */
  readonly cost: number
  /** Requests served by each endpoint, in total and in the last quarter. */
  readonly loads: ReadonlyArray<number>
  /** Conversations that began at each endpoint. */
  readonly begun: ReadonlyArray<number>
  readonly loadsAtEnd: ReadonlyArray<number>
  /** The share of the requests that continue a conversation and went elsewhere than the request before. */
  readonly moved: number
  readonly failures: number
  /** Calls that failed, after which another endpoint was tried. */
  readonly failedCalls: number
}

/** Providers keep prompts for about five minutes. */
const cacheMillis = 300_000
const model = ModelSlug.make("bench/talker")
const quarter = 0.75

export const replayConversations = (replay: Replay): ReplayResult => {
  const { by, chats, diesAt = Infinity, prices, processes = 1, refusals = 0, seed } = replay
  const { cachedPrice = 0.1, preferences = {} } = replay
  const random = makeRandom(seed)
  const candidates = prices.map((usd, index) => makeCandidate(index, usd, cachedPrice))
  const caches = new Map(candidates.map(({ id }) => [id, new PromptCache(cacheMillis)]))
  const loads = new Map(candidates.map(({ id }) => [id, { all: 0, begun: 0, end: 0 }]))
  const end = chats.at(-1)!.at
  const instances = Array.from({ length: processes }, makeProcess)
  const lastPlace = new Map<string, string>()
  const underWay = new UnderWay()
  const tokens = { prompt: 0, cached: 0, promptAtEnd: 0, cachedAtEnd: 0 }
  const settings = by === "none" ? { ...defaults, affinityMillis: 0 } : defaults
  let [continued, moved, failures, failedCalls, cost] = [0, 0, 0, 0, 0]
  let dead: string | undefined

  for (const chat of chats) {
    const instance = instances[Math.floor(random() * processes)]!
    const isAtEnd = chat.at >= end * quarter
    for (const each of instances) each.clock.set(chat.at)
    underWay.finish(chat.at)
    if (dead === undefined && chat.at >= end * diesAt) {
      dead = [...loads].reduce((self, that) => (that[1].all > self[1].all ? that : self))[0]
    }
    const affinity = findAffinity(
      {
        caller: { account: `account-${seed}` },
        preferences,
        conversation: toConversation(chat, by)
      },
      model,
      candidates,
      instance.pins,
      settings
    )
    const { health, pins } = instance
    const made = plan({
      models: [{ id: model }],
      candidates,
      preferences,
      constraints: [],
      requirements: { parameters: [], inputTokens: chat.promptTokens, outputTokens: 0 },
      health: health.snapshot(caches.keys()),
      minSamples: defaults.rankMinSamples,
      seed: Math.floor(random() * 2 ** 32),
      strategy: priceWeighted,
      ...(affinity?.key === undefined ? undefined : { affinity })
    })
    const refused = new Set(candidates.filter(() => random() < refusals).map(({ id }) => id))
    const served = made.ordered.find(({ id }) => {
      const isServed = id !== dead && !refused.has(id)
      if (!health.claim(id)) return false
      health.record({
        endpoint: id,
        startedAt: chat.at,
        at: chat.at,
        latencyMillis: 500,
        result: isServed ? "success" : "failure"
      })
      if (!isServed) failedCalls++
      return isServed
    })
    if (served === undefined) {
      failures++
      continue
    }
    if (affinity?.key !== undefined) {
      const { key } = affinity
      pins.begin(key)
      underWay.begin(chat.at + toMillis(chat), () => {
        pins.end(key)
        followSuccess({ affinity, plan: made }, served, pins)
      })
    }
    const cached = caches.get(served.id)!.serve(chat)
    tokens.prompt += chat.promptTokens
    tokens.cached += cached
    cost += served.price.approximate.prompt * (chat.promptTokens - cached * (1 - cachedPrice))
    const load = loads.get(served.id)!
    load.all++
    if (isAtEnd) {
      load.end++
      tokens.promptAtEnd += chat.promptTokens
      tokens.cachedAtEnd += cached
    }
    const conversation = toConversationId(chat)
    const last = lastPlace.get(conversation)
    if (last === undefined) load.begun++
    else {
      continued++
      if (last !== served.id) moved++
    }
    lastPlace.set(conversation, served.id)
  }
  return {
    cached: tokens.cached / tokens.prompt,
    cachedAtEnd: tokens.cachedAtEnd / tokens.promptAtEnd,
    cost: (cost / tokens.prompt) * 1e6,
    loads: [...loads.values()].map(({ all }) => all),
    begun: [...loads.values()].map(({ begun }) => begun),
    loadsAtEnd: [...loads.values()].map(({ end }) => end),
    moved: continued === 0 ? 0 : moved / continued,
    failures,
    failedCalls
  }
}

const makeCandidate = (index: number, usd: number, cachedPrice: number): Candidate.Candidate =>
  Candidate.make({
    endpoint: Endpoint.make(model, {
      provider: `provider-${index}`,
      price: {
        prompt: `${usd}e-6`,
        completion: "0",
        input_cache_read: (usd * cachedPrice * 1e-6).toFixed(12)
      }
    }),
    providerName: `Provider ${index}`,
    distillable: true
  })

/** An instance with its own memory and health. */
const makeProcess = () => {
  const clock = makeVirtualClock()
  const services = Layer.mergeAll(AffinityPins.layer, Health.layer).pipe(
    Layer.build,
    Effect.provideService(Clock.Clock, clock),
    Effect.scoped,
    Effect.runSync
  )
  return {
    clock,
    pins: Context.get(services, AffinityPins),
    health: Context.get(services, Health)
  }
}

/** Requests that are still answered, by when they end. */
class UnderWay {
  readonly #ends: Array<{ readonly at: number; readonly run: () => void }> = []

  begin(at: number, run: () => void): void {
    let index = this.#ends.length
    while (index > 0 && this.#ends[index - 1]!.at < at) index--
    this.#ends.splice(index, 0, { at, run })
  }

  finish(now: number): void {
    while (this.#ends.length > 0 && this.#ends.at(-1)!.at <= now) this.#ends.pop()!.run()
  }
}

/** Half a second, and 50 tokens a second. */
const toMillis = ({ answerTokens }: TracedChat): number => 500 + answerTokens * 20

/** Its first blocks stand for the texts of its first messages. */
const toConversation = (chat: TracedChat, by: Replay["by"]): ConversationTraits => ({
  request: by === "session" ? { session_id: toConversationId(chat) } : {},
  parameters: {},
  native: { dialect: "chat", body: {} },
  said: {
    findOpener: () => ({
      instruction: { content: chat.system.join(" ") },
      first: { content: String(chat.opener) }
    })
  }
})

const toConversationId = ({ opener, session, system }: TracedChat): string =>
  session ?? [...system, opener].join(" ")
