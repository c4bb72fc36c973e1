/** Conversations stay at the endpoint whose cache has their prompt. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { parseMessagesChat } from "../../../src/domains/messages/parseMessagesChat.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { parseResponsesChat } from "../../../src/domains/responses/parseResponsesChat.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import type { ChatCapability } from "../../../src/engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import type { World } from "../decisions/decisionFixtures.ts"
import { fakeChatUpstream, makeChatWorld, parseChat, reply } from "./chatFixtures.ts"

const caller: Caller = {
  account: AccountId.make("acme"),
  workspace: WorkspaceId.make("lab"),
  kind: "member"
}
const slugs = ["one", "two", "three"]
const cached = { prompt: "1e-6", completion: "1e-6", input_cache_read: "1e-7" }

type Complete = ChatCapability["complete"]

interface ServedWorld extends Partial<Pick<World, "settings">> {
  readonly complete?: (slug: string) => Complete | undefined
  readonly prices?: ReadonlyArray<Readonly<Record<string, string>>>
  readonly records?: Array<Generation>
}

/** Three providers of one model, at one price. */
const provide =
  ({ complete, prices = [cached, cached, cached], records = [], settings }: ServedWorld = {}) =>
  <A, E>(effect: Effect.Effect<A, E, Chats>) =>
    Effect.provide(
      effect,
      makeChatWorld({
        upstreams: slugs.map((slug) => {
          const own = complete?.(slug)
          return fakeChatUpstream(slug, own === undefined ? {} : { complete: own })
        }),
        endpoints: prices.map((price, index) => ({ provider: slugs[index]!, price })),
        records,
        ...(settings === undefined ? undefined : { settings })
      })
    )

const converse = (id: number, turns = 1, rest: object = {}) => ({
  model: "a/b",
  messages: [
    { role: "system", content: "You are brief." },
    { role: "user", content: `Question ${id}?` },
    ...Array.from({ length: turns - 1 }, (_, turn) => [
      { role: "assistant", content: `Answer ${turn}` },
      { role: "user", content: `And then, after ${turn}?` }
    ]).flat()
  ],
  ...rest
})

const send = (request: object) =>
  Chats.use((chats) =>
    Effect.map(chats.complete(caller, parseChat(request)), ({ provider }) => provider)
  )
const planOf = (request: object, replay?: Parameters<Chats["Service"]["plan"]>[2]) =>
  Chats.use((chats) => chats.plan(caller, parseChat(request), replay))

const findPin = (request: object) =>
  Effect.map(planOf(request), ({ affinity }) =>
    affinity?.key === undefined ? undefined : affinity.pinned
  )

const parseBy = <A>(
  parser: (
    text: string,
    options: { readonly bytes: number; readonly settings: Settings.SettingsShape }
  ) => Result.Result<{ readonly parsed: A }, unknown>,
  request: object
): A => {
  const text = JSON.stringify(request)
  const options = { bytes: text.length, settings: Settings.defaults }
  return Result.getOrThrow(parser(text, options)).parsed
}

describe("a conversation", () => {
  it.effect("stays at one provider, while conversations spread over all", () =>
    Effect.gen(function* () {
      const placed: Array<string> = []
      for (let id = 0; id < 30; id++) {
        const providers = yield* Effect.forEach([1, 2, 3, 4], (turns) => send(converse(id, turns)))
        assert.strictEqual(new Set(providers).size, 1)
        placed.push(providers[0]!)
      }
      assert.deepStrictEqual(new Set(placed), new Set(["ONE", "TWO", "THREE"]))
    }).pipe(provide())
  )

  it.effect("follows the success of a fallback, stays there, and returns when idle", () => {
    const down = new Set<string>()
    const records: Array<Generation> = []
    const complete =
      (slug: string): Complete =>
      () =>
        down.has(slug)
          ? Effect.fail(new UpstreamFailure({ kind: "forbidden" }))
          : Effect.succeed(reply(slug))
    return Effect.gen(function* () {
      const home = yield* send(converse(1))
      down.add(home.toLowerCase())
      const moved = yield* send(converse(1, 2))
      assert.notStrictEqual(moved, home)
      down.clear()
      assert.strictEqual(yield* send(converse(1, 3)), moved)
      assert.strictEqual(yield* findPin(converse(1)), `a/b@${moved.toLowerCase()}`)
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(yield* send(converse(1, 4)), moved)
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(yield* send(converse(1, 5)), moved)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* send(converse(1, 6)), home)
      assert.isUndefined(yield* findPin(converse(1)))
      assert.deepStrictEqual(
        records.map(({ affinity }) => affinity?.did),
        ["placed", "moved", "kept", "kept", "kept", "placed"]
      )
      assert.isTrue(records.every(({ affinity }) => affinity?.by === "opener"))
      assert.deepStrictEqual(Object.keys(records[1]!.affinity!), ["by", "did"])
    }).pipe(provide({ complete, records }))
  })

  it.effect("is known by its session, then by its prompt cache key, then by its opener", () =>
    Effect.gen(function* () {
      const identify = (rest: object) =>
        Effect.map(planOf(converse(1, 1, rest)), ({ affinity }) => affinity)
      const opener = yield* identify({})
      const session = yield* identify({ session_id: "s" })
      const cacheKey = yield* identify({ prompt_cache_key: "s" })
      assert.deepStrictEqual(
        [opener?.by, session?.by, cacheKey?.by],
        ["opener", "session_id", "prompt_cache_key"]
      )
      assert.strictEqual(new Set([opener?.key, session?.key, cacheKey?.key]).size, 3)
      assert.deepStrictEqual(yield* identify({ session_id: "s", prompt_cache_key: "p" }), session)
      const other = yield* planOf({ ...converse(2), session_id: "s" })
      assert.deepStrictEqual(other.affinity, session)
    }).pipe(provide())
  )

  it.effect("is the same by every API", () =>
    Effect.gen(function* () {
      const chats = yield* Chats
      const chat = yield* planOf(converse(1))
      const message = parseBy(parseMessagesChat, {
        model: "a/b",
        max_tokens: 100,
        system: "You are brief.",
        messages: [
          {
            role: "user",
            content: [{ type: "text", text: "Question 1?", cache_control: { type: "ephemeral" } }]
          }
        ]
      })
      const response = parseBy(parseResponsesChat, {
        model: "a/b",
        instructions: "You are brief.",
        input: "Question 1?"
      })
      assert.isDefined(chat.affinity?.key)
      assert.deepStrictEqual((yield* chats.plan(caller, message)).affinity, chat.affinity)
      assert.deepStrictEqual((yield* chats.plan(caller, response)).affinity, chat.affinity)
      const keyed = parseBy(parseResponsesChat, {
        model: "a/b",
        input: "Another?",
        prompt_cache_key: "k"
      })
      const { affinity } = yield* planOf(converse(1, 1, { prompt_cache_key: "k" }))
      assert.deepStrictEqual((yield* chats.plan(caller, keyed)).affinity, affinity)
      assert.strictEqual(affinity?.by, "prompt_cache_key")
    }).pipe(provide())
  )

  it.effect("is another one in another account or at another model", () =>
    Effect.gen(function* () {
      const chats = yield* Chats
      const parsed = parseChat(converse(1))
      const own = yield* chats.plan(caller, parsed)
      const foreign = yield* chats.plan({ ...caller, account: AccountId.make("other") }, parsed)
      assert.notStrictEqual(foreign.affinity?.key, own.affinity?.key)
    }).pipe(provide())
  )

  it.effect("is repeated by the explanation of its plan, wherever it goes later", () => {
    const down = new Set<string>()
    const complete =
      (slug: string): Complete =>
      () =>
        down.has(slug)
          ? Effect.fail(new UpstreamFailure({ kind: "forbidden" }))
          : Effect.succeed(reply(slug))
    return Effect.gen(function* () {
      const home = yield* send(converse(1))
      const placed = yield* planOf(converse(1))
      down.add(home.toLowerCase())
      yield* send(converse(1))
      const kept = yield* planOf(converse(1))
      assert.strictEqual(kept.plan.affinity?.did, "kept")
      assert.notDeepEqual(kept.plan.ordered, placed.plan.ordered)
      for (const planned of [placed, kept]) {
        const { affinity, health, seed } = planned
        const replay = JSON.parse(JSON.stringify({ affinity, health, seed }))
        assert.deepStrictEqual(yield* planOf(converse(1), replay), planned)
      }
      // A seed alone repeats the draw of the strategy.
      const drawn = yield* planOf(converse(1), { seed: 7 })
      assert.deepStrictEqual(drawn.affinity, { by: "opener" })
      assert.isUndefined(drawn.plan.affinity)
    }).pipe(provide({ complete }))
  })
})

const isOff = (name: string, world: ServedWorld, rest: object = {}) =>
  it.effect(name, () => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      const request = converse(1, 1, rest)
      const { affinity, plan } = yield* planOf(request)
      assert.deepStrictEqual(affinity, { by: "opener" })
      assert.isUndefined(plan.affinity)
      yield* send(request)
      assert.deepStrictEqual(
        records.map(({ affinity }) => affinity),
        [{ by: "opener", did: "off" }]
      )
    }).pipe(provide({ ...world, records }))
  })

describe("affinity is off", () => {
  const plain = { prompt: "1e-6", completion: "1e-6" }
  isOff("with an order", {}, { provider: { order: ["two"] } })
  isOff("without an endpoint whose cache saves anything", {
    prices: [plain, plain, { ...plain, input_cache_read: "1e-6" }]
  })
  isOff("with a single endpoint", { prices: [cached] })
  isOff("by its setting", { settings: { affinityMillis: 0 } })
})

describe("requests under way", () => {
  it.effect("spread over further endpoints, 16 each, and are forgotten as they end", () => {
    const gate = Deferred.makeUnsafe<void>()
    const calls: Array<string> = []
    const complete =
      (slug: string): Complete =>
      () =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => calls.push(slug)),
            Deferred.await(gate)
          ),
          reply(slug)
        )
    return Effect.gen(function* () {
      const planned = yield* planOf(converse(1))
      const home = planned.plan.ordered[0]!.endpoint.provider
      const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
      for (let i = 0; i < 40; i++) {
        fibers.push(yield* Effect.forkChild(send(converse(1)), { startImmediately: true }))
      }
      assert.lengthOf(calls, 40)
      assert.deepStrictEqual(
        calls.slice(0, 16),
        Array.from({ length: 16 }, () => home)
      )
      const [second, third] = [calls[16]!, calls[31]!]
      assert.strictEqual(new Set([home, second, third]).size, 3)
      assert.strictEqual(
        calls.slice(16, 31).every((slug) => slug === second),
        true
      )
      assert.strictEqual(
        calls.slice(31).every((slug) => slug === third),
        true
      )
      // Another conversation is not concerned.
      const other = yield* planOf(converse(2))
      assert.strictEqual(other.plan.affinity?.did, "placed")
      yield* Effect.forEach(fibers.slice(20), Fiber.interrupt)
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers.slice(0, 20), Fiber.join)
      assert.deepStrictEqual((yield* planOf(converse(1))).affinity, planned.affinity)
    }).pipe(provide({ complete }))
  })
})
