/** Chats at an upstream whose code has a defect. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import type { World } from "../decisions/decisionFixtures.ts"
import {
  fakeChatUpstream,
  makeChatWorld,
  endEvent,
  parseChat,
  reply,
  textDelta
} from "./chatFixtures.ts"

const asked = {
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm at sea tonight?" }],
  provider: { sort: "price" }
}
const complete = Chats.use((chats) => chats.complete(hostCaller, parseChat(asked)))
const streamed = Effect.gen(function* () {
  const chats = yield* Chats
  const { chunks, provider } = yield* chats.stream(
    hostCaller,
    parseChat({ ...asked, stream: true })
  )
  const exit = yield* Effect.exit(Stream.runDrain(chunks))
  return { provider, exit }
}).pipe(Effect.scoped)

const bug = (): never => {
  throw new Error("no way with sk-hostsown")
}
const begun = () => Stream.concat(Stream.make(textDelta("hi")), Stream.die("bug"))

const outcomes = (records: ReadonlyArray<Generation>) =>
  records.map(({ attempts, error }) => [error, ...attempts.map(({ outcome }) => outcome)])

const inWorld =
  (config: World) =>
  <A, E>(effect: Effect.Effect<A, E, Chats | Health | Ledger>) =>
    Effect.provide(effect, [makeChatWorld(config), Logger.layer([])])

const two = fakeChatUpstream("two", { steps: [textDelta("hi", "stop"), endEvent(1)] })

const failureShare = Effect.gen(function* () {
  const { endpoints } = (yield* Health).snapshot(["a/b@one"])
  return endpoints["a/b@one"]?.errors["defect"]
})

describe("a chat at a defective upstream", () => {
  it.effect.each([
    ["throws", bug],
    ["rejects a promise", () => Effect.promise(() => Promise.reject(new Error("bug")))],
    ["dies", () => Effect.die("bug")]
  ] as const)("whole, one that %s is fallen back from, counted and recorded", ([, broken]) => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      assert.strictEqual((yield* complete).provider, "TWO")
      assert.deepStrictEqual(outcomes(records), [[undefined, "defect", "served"]])
      assert.strictEqual(yield* failureShare, 1)
      assert.notInclude(
        JSON.stringify(records, (_, value) => (typeof value === "bigint" ? "" : value)),
        "hostsown"
      )
    }).pipe(inWorld({ upstreams: [fakeChatUpstream("one", { complete: broken }), two], records }))
  })

  it.effect.each([
    ["throws", bug],
    ["dies", () => Stream.die("bug")]
  ] as const)("streamed, one that %s before its first event is fallen back from", ([, stream]) => {
    const records: Array<Generation> = []
    const one = fakeChatUpstream("one", {})
    return Effect.gen(function* () {
      assert.strictEqual((yield* streamed).provider, "TWO")
      assert.deepStrictEqual(outcomes(records), [[undefined, "defect", "served"]])
      assert.strictEqual(yield* failureShare, 1)
    }).pipe(inWorld({ upstreams: [{ ...one, chat: { ...one.chat!, stream } }, two], records }))
  })

  it.effect("ends a streamed answer when the upstream dies after its first event", () => {
    const records: Array<Generation> = []
    const one = fakeChatUpstream("one", {})
    return Effect.gen(function* () {
      const { exit, provider } = yield* streamed
      assert.strictEqual(provider, "ONE")
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(outcomes(records), [["AttemptsFailed", "defect"]])
      assert.isAbove(records[0]?.usage?.outputTokens ?? 0, 0)
      assert.strictEqual(yield* failureShare, 1)
    }).pipe(
      inWorld({ upstreams: [{ ...one, chat: { ...one.chat!, stream: begun } }, two], records })
    )
  })

  it.effect("falls back when estimateWorstCase throws and spending is limited", () => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      yield* (yield* Ledger).grant(defaultAccountId, nano(10_000n))
      assert.strictEqual((yield* complete).provider, "TWO")
      assert.deepStrictEqual(outcomes(records), [[undefined, "defect", "served"]])
      assert.strictEqual(yield* failureShare, 1)
    }).pipe(inWorld({ upstreams: [fakeChatUpstream("one", { worstCase: bug }), two], records }))
  })

  it.effect(
    "serves although estimateWorstCase throws when spending is unlimited, even without usage",
    () => {
      const { usage: _, ...silent } = reply("hi")
      return Effect.gen(function* () {
        const { provider, usage } = yield* complete
        assert.strictEqual(provider, "ONE")
        assert.isAbove(usage.completion_tokens, 0)
      }).pipe(
        inWorld({
          upstreams: [
            fakeChatUpstream("one", { worstCase: bug, complete: () => Effect.succeed(silent) }),
            two
          ]
        })
      )
    }
  )
})
