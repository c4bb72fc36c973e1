import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Health } from "../../../src/engine/health/Health.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { layerSharedHealth } from "../../../src/engine/health/shareHealth.ts"
import {
  maxMessageBytes,
  ProcessChannel,
  type ProcessMessage
} from "../../../src/instance/ProcessChannel.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { computePenalty } from "../../../src/routing/plan/ranking/computePenalty.ts"
import { makePricedCandidate } from "../../routing/makeCandidate.ts"

const candidate = makePricedCandidate("one", 1)
const endpoint = candidate.id

/** Processes on one channel, with the messages that they sent. */
const startProcesses = Effect.fnUntraced(function* (
  settings: ReadonlyArray<Partial<Settings.SettingsShape>>
) {
  const hub = yield* PubSub.unbounded<ProcessMessage>()
  const sent: Array<ProcessMessage> = []
  const processes = yield* Effect.forEach(settings, (own, index) => {
    const from = `process-${index}`
    return Effect.map(
      Layer.build(
        layerSharedHealth.pipe(
          Layer.provideMerge(Health.layer),
          Layer.provide(
            Layer.succeed(ProcessChannel, {
              publish: (text) => {
                sent.push({ from, text })
                return Effect.asVoid(PubSub.publish(hub, { from, text }))
              },
              messages: Stream.filter(Stream.fromPubSub(hub), (message) => message.from !== from)
            })
          ),
          Layer.provide(Settings.layer(own))
        )
      ),
      (context) => {
        const health = Context.get(context, Health)
        const getReport = () => health.snapshot([endpoint]).endpoints[endpoint]
        return {
          record: (result: Outcome["result"], times = 1, id: string = endpoint, wait = 0) => {
            for (let time = 0; time < times; time++) {
              const at = health.time.now()
              health.record({
                endpoint: id,
                startedAt: at,
                at,
                result,
                latencyMillis: 1,
                ...(wait === 0 ? undefined : { retryAfterMillis: wait })
              })
            }
          },
          getReport,
          getPenalty: (drawn = 0) =>
            computePenalty(candidate, {
              health: health.snapshot([endpoint]),
              minSamples: 10,
              thresholds: [],
              byCondition: true,
              random: () => drawn,
              signedBy: undefined
            }),
          suspect: (times: number) => {
            for (let time = 0; time < times; time++) health.suspect(endpoint)
          },
          endSuspicion: (times: number) => {
            for (let time = 0; time < times; time++) health.endSuspicion(endpoint)
          },
          claim: () => health.claim(endpoint)
        }
      }
    )
  })
  return { processes, sent }
})

/** Time for what was seen in this second to be told and heard. */
const exchange = Effect.gen(function* () {
  yield* TestClock.adjust(1_000)
  yield* TestClock.adjust(1_000)
  yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })
})

const all = (count: number) => Array.from({ length: count }, () => ({}))

describe("processes that share what they see of a provider", () => {
  it.effect("learn of its failures together, before one of them has seen enough alone", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      // Below the ten attempts after which a breaker of one process opens.
      for (const process of processes.slice(0, 3)) process.record("failure", 4)
      yield* exchange
      const fourth = processes[3]!
      assert.deepStrictEqual(fourth.getReport()?.outage, { failures: 12, of: 12, processes: 3 })
      const { level, reasons } = fourth.getPenalty()
      assert.strictEqual(level, 4)
      assert.strictEqual(reasons[0]?.found, "12 of 12 failed, in 3 processes")
      // It is moved back and never rejected.
      assert.deepStrictEqual(fourth.getReport()?.breaker, { state: "closed" })
      assert.isTrue(fourth.claim())
    })
  )

  it.effect("do not believe a process with a broken network", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      const [broken, ...others] = processes
      broken?.record("failure", 500)
      for (const other of others) other.record("success", 2)
      yield* exchange
      broken?.record("failure", 500)
      yield* exchange
      for (const other of others) assert.isUndefined(other.getReport()?.outage)
    })
  )

  it.effect("weigh failures against the successes of the others", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      processes[0]?.record("failure", 6)
      processes[1]?.record("failure", 6)
      yield* exchange
      assert.isDefined(processes[3]?.getReport()?.outage)
      processes[2]?.record("success", 20)
      yield* exchange
      assert.isUndefined(processes[3]?.getReport()?.outage)
    })
  )

  it.effect("believe their own successes", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(3))
      for (const process of processes.slice(0, 2)) process.record("failure", 9)
      yield* exchange
      const [, , third] = processes
      assert.isDefined(third?.getReport()?.outage)
      third?.record("success")
      assert.isUndefined(third?.getReport()?.outage)
      yield* exchange
      assert.isUndefined(third?.getReport()?.outage)
    })
  )

  it.effect("warn each other of attempts that are late, and take it back when they answer", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(3))
      const [one, two, third] = processes
      for (const process of processes) process.record("success", 20)
      yield* TestClock.adjust(10_000)
      one?.suspect(6)
      two?.suspect(5)
      yield* exchange
      assert.deepStrictEqual(third?.getReport()?.outage, {
        failures: 11,
        of: 11,
        suspected: 11,
        processes: 2
      })
      assert.strictEqual(
        third?.getPenalty().reasons[0]?.found,
        "11 of 11 failed, in 2 processes, of which 11 have not answered yet"
      )
      // Those that fail count once, and those that answer no longer.
      one?.endSuspicion(6)
      one?.record("failure", 6)
      two?.endSuspicion(5)
      yield* exchange
      assert.isUndefined(third?.getReport()?.outage)
      two?.suspect(5)
      yield* exchange
      assert.deepInclude(third?.getReport()?.outage, { failures: 11, of: 11, suspected: 5 })
    })
  )

  it.effect("weigh only what they did since others began to warn", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(3))
      for (const process of processes) process.record("success", 100)
      yield* TestClock.adjust(10_000)
      for (const process of processes) process.record("failure", 4)
      yield* exchange
      for (const process of processes) {
        assert.deepInclude(process.getReport()?.outage, { failures: 12, of: 12 })
      }
    })
  )

  it.effect("forget what a process suspected that is gone", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(2))
      const [one, two] = processes
      one?.suspect(10)
      yield* exchange
      two?.suspect(1)
      assert.isDefined(two?.getReport()?.outage)
      two?.endSuspicion(1)
      one?.endSuspicion(10)
      yield* exchange
      assert.isUndefined(two?.getReport()?.outage)
    })
  )

  it.effect("forget it after half a minute", () =>
    Effect.gen(function* () {
      const { processes, sent } = yield* startProcesses(all(3))
      for (const process of processes.slice(0, 2)) process.record("failure", 9)
      yield* exchange
      assert.isDefined(processes[2]?.getReport()?.outage)
      yield* TestClock.adjust(31_000)
      assert.isUndefined(processes[2]?.getReport()?.outage)
      assert.lengthOf(sent, 2)
    })
  )

  it.effect("return to a provider by and by when the outage they saw together is old", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      for (const process of processes.slice(0, 3)) process.record("failure", 4)
      yield* exchange
      const fourth = processes[3]!
      assert.isDefined(fourth.getReport()?.outage)
      yield* TestClock.adjust(30_000)
      const returning = fourth.getReport()
      assert.isUndefined(returning?.outage)
      assert.isTrue(returning!.returning! >= 0.1 && returning!.returning! < 0.2)
      assert.strictEqual(fourth.getPenalty().reasons.length, 0)
      assert.deepInclude(fourth.getPenalty(0.9), { level: 2 })
      assert.strictEqual(fourth.getPenalty(0.9).reasons[0]?.rule, "ramp")
      yield* TestClock.adjust(15_000)
      assert.isAbove(fourth.getReport()!.returning!, 0.5)
      yield* TestClock.adjust(15_000)
      assert.isUndefined(fourth.getReport()?.returning)
    })
  )

  it.effect("learn of another outage from fewer attempts while they return", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      const fourth = processes[3]!
      const failTwice = () => {
        for (const process of processes.slice(0, 2)) process.record("failure", 2)
      }
      failTwice()
      yield* exchange
      assert.isUndefined(fourth.getReport()?.outage)
      for (const process of processes.slice(0, 2)) process.record("failure", 3)
      yield* exchange
      assert.isDefined(fourth.getReport()?.outage)
      yield* TestClock.adjust(32_000)
      assert.isUndefined(fourth.getReport()?.outage)
      failTwice()
      yield* exchange
      assert.deepStrictEqual(fourth.getReport()?.outage, { failures: 4, of: 4, processes: 2 })
    })
  )

  it.effect("return at once where the provider answers", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      for (const process of processes.slice(0, 3)) process.record("failure", 4)
      yield* exchange
      yield* TestClock.adjust(31_000)
      const fourth = processes[3]!
      assert.isDefined(fourth.getReport()?.returning)
      fourth.record("success")
      assert.isUndefined(fourth.getReport()?.returning)
    })
  )

  it.effect("do not hold back a provider that one process alone saw failing", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(4))
      const [broken, ...others] = processes
      for (let seconds = 0; seconds < 40; seconds++) {
        broken?.record("failure", 50)
        yield* TestClock.adjust(1_000)
      }
      for (const other of others) {
        assert.isUndefined(other.getReport()?.outage)
        assert.isUndefined(other.getReport()?.returning)
      }
    })
  )

  it.effect("tell the first suspicion at once, and no more than one message a second", () =>
    Effect.gen(function* () {
      const { processes, sent } = yield* startProcesses(all(2))
      yield* TestClock.adjust(10_300)
      processes[0]?.suspect(1)
      yield* TestClock.adjust(1)
      assert.strictEqual(sent.length, 1)
      for (let tenths = 0; tenths < 50; tenths++) {
        yield* TestClock.adjust(100)
        processes[0]?.suspect(1)
      }
      assert.isAtMost(sent.length, 6)
      assert.isAtLeast(sent.length, 5)
    })
  )

  it.effect("avoid a provider that asked one of them to wait", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses(all(2))
      processes[0]?.record("rate_limited", 1, endpoint, 10_000)
      yield* exchange
      const [reason] = processes[1]?.getPenalty().reasons ?? []
      assert.strictEqual(reason?.found, "the provider asked another process to wait")
      assert.isTrue(processes[1]?.claim())
      yield* TestClock.adjust(10_000)
      assert.isUndefined(processes[1]?.getReport()?.outage)
    })
  )

  it.effect("hear nothing from those of another group", () =>
    Effect.gen(function* () {
      const { processes } = yield* startProcesses([
        { healthGroup: "eu" },
        { healthGroup: "eu" },
        { healthGroup: "us" }
      ])
      for (const process of processes.slice(0, 2)) process.record("failure", 9)
      yield* exchange
      assert.isUndefined(processes[2]?.getReport())
    })
  )

  it.effect("say nothing while all is well, and nothing of customers' credentials", () =>
    Effect.gen(function* () {
      const { processes, sent } = yield* startProcesses(all(2))
      processes[0]?.record("success", 50)
      processes[1]?.record("failure", 50, `${endpoint}#00000000-0000-4000-8000-000000000000`)
      yield* exchange
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("tell of the endpoints that fail most if not all fit into a message", () =>
    Effect.gen(function* () {
      const { processes, sent } = yield* startProcesses(all(2))
      for (let index = 0; index < 200; index++) {
        processes[0]?.record("failure", 1, `model/${"m".repeat(200)}-${index}@p`)
      }
      processes[0]?.record("failure", 5)
      yield* exchange
      const text = sent[0]?.text ?? ""
      assert.isAtMost(Buffer.byteLength(text), maxMessageBytes)
      assert.include(text, endpoint)
    })
  )

  it.effect("ignore what they cannot read", () =>
    Effect.gen(function* () {
      const messages: ReadonlyArray<ProcessMessage> = [
        "",
        "{}",
        '{"health":{"group":""}}',
        "[1"
      ].map((text) => ({ from: "later", text }))
      const context = yield* Layer.build(
        layerSharedHealth.pipe(
          Layer.provideMerge(Health.layer),
          Layer.provide(
            Layer.succeed(ProcessChannel, {
              publish: () => Effect.void,
              messages: Stream.fromIterable(messages)
            })
          )
        )
      )
      yield* exchange
      assert.deepStrictEqual((yield* Context.get(context, Health).reportAll).endpoints, {})
    })
  )
})
