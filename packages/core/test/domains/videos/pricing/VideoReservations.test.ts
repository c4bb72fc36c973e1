import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { VideoReservations } from "../../../../src/domains/videos/pricing/VideoReservations.ts"
import * as Price from "../../../../src/engine/catalog/endpoint/Price.ts"
import { Ledger } from "../../../../src/engine/ledger/Ledger.ts"
import { LedgerStore } from "../../../../src/engine/ledger/LedgerStore.ts"
import { type Limit, makeLifetimeLimit } from "../../../../src/engine/ledger/Limit.ts"
import { CurrentSettledLimits, SettledLimits } from "../../../../src/engine/ledger/SettledLimits.ts"
import { Audit } from "../../../../src/engine/observability/audit/Audit.ts"
import { memoryAuditLog } from "../../../../src/memory/memoryAuditLog.ts"
import { MemoryJournal, memoryTransaction } from "../../../../src/memory/MemoryJournal.ts"
import { memoryLedgerStore } from "../../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../../src/memory/memorySpendCounters.ts"
import { AccountId } from "../../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"
import { makeCandidate } from "../../../routing/makeCandidate.ts"

const account = AccountId.make("acme")
const services = VideoReservations.layer.pipe(
  Layer.provide(Ledger.layer),
  Layer.provide([Audit.layer]),
  Layer.provide([memoryAuditLog, memoryTransaction]),
  Layer.provideMerge(memoryLedgerStore),
  Layer.provide(memorySpendCounters),
  Layer.provide(MemoryJournal.layer)
)

/** A video costs `nanoUsd` there; undefined: the price is unknown. */
const at = (provider: string, nanoUsd: number | undefined) => ({
  ...makeCandidate({ provider }),
  price: Price.makeTotal(nanoUsd === undefined ? undefined : BigDecimal.make(BigInt(nanoUsd), 9))
})
const [cheap, dear, unknown] = [at("cheap", 10), at("dear", 100), at("unknown", undefined)]

const makeBudget = (provider: string, cap: bigint, rest: Partial<Limit> = {}): Limit => ({
  ...makeLifetimeLimit({
    kind: "budget",
    id: provider,
    cap: nano(cap),
    countsByok: false,
    scope: { provider }
  }),
  ...rest
})
const credits = makeLifetimeLimit({
  kind: "credits",
  id: "credits",
  cap: nano(1_000n),
  countsByok: false
})

const reserve = (...limits: ReadonlyArray<Limit>) =>
  VideoReservations.use((each) => each.reserve(account, limits, [cheap, dear, unknown], 60_000))
const usage = (limit: Limit) => LedgerStore.use((store) => store.getUsage(limit))

describe("the reservations of a video job", () => {
  it.effect("count under the budget of the provider that runs it, and of no other", () =>
    Effect.gen(function* () {
      const limits = [credits, makeBudget("cheap", 50n), makeBudget("dear", 500n)]
      const { reservations } = yield* reserve(...limits)
      assert.deepStrictEqual(yield* Effect.forEach(limits, usage), [
        { settled: nano(0n), reserved: nano(100n) },
        { settled: nano(0n), reserved: nano(10n) },
        { settled: nano(0n), reserved: nano(100n) }
      ])
      const bill = { cost: nano(9n), isByok: false, candidate: cheap.id }
      yield* VideoReservations.use((each) => each.settle(reservations, bill))
      assert.deepStrictEqual(yield* Effect.forEach(limits, usage), [
        { settled: nano(9n), reserved: nano(0n) },
        { settled: nano(9n), reserved: nano(0n) },
        { settled: nano(0n), reserved: nano(0n) }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("tell alerts of their limits when another process has settled them", () => {
    const settled = new SettledLimits()
    return Effect.gen(function* () {
      const limits = [credits, makeBudget("cheap", 50n)]
      const { reservations } = yield* reserve(...limits)
      // As another process reads the job.
      const stored: typeof reservations = JSON.parse(JSON.stringify(reservations))
      assert.isTrue(settled.isEmpty)
      yield* VideoReservations.use((each) => each.report(account, stored))
      assert.sameDeepMembers(
        settled.take().map(({ limit }) => limit),
        limits
      )
    }).pipe(Effect.provide(Layer.provide(services, Layer.succeed(CurrentSettledLimits, settled))))
  })

  it.effect("leave out the providers whose budget has no room", () =>
    Effect.gen(function* () {
      const exhausted = makeBudget("dear", 99n)
      const { candidates, skipped } = yield* reserve(credits, exhausted)
      assert.deepStrictEqual(candidates, [cheap, unknown])
      assert.deepStrictEqual(
        skipped.map(({ candidate, exceeded }) => [candidate, exceeded.limit]),
        [[dear, exhausted]]
      )
      assert.strictEqual((yield* usage(credits)).reserved, nano(10n))
    }).pipe(Effect.provide(services))
  )

  it.effect("leave out a provider of unknown price under a budget that binds", () =>
    Effect.gen(function* () {
      const binding = yield* reserve(makeBudget("unknown", 1_000n))
      assert.deepStrictEqual(binding.candidates, [cheap, dear])
      const soft = yield* reserve(makeBudget("unknown", 1_000n, { soft: true }))
      assert.deepStrictEqual(soft.candidates, [cheap, dear, unknown])
    }).pipe(Effect.provide(services))
  )

  it.effect("fail when no budget has room", () =>
    Effect.gen(function* () {
      const model: Limit = { ...makeBudget("any", 1n), scope: { model: "a/b" } }
      const { limit } = yield* Effect.flip(
        VideoReservations.use((each) => each.reserve(account, [model], [cheap, dear], 60_000))
      )
      assert.deepStrictEqual(limit, model)
    }).pipe(Effect.provide(services))
  )
})
