import { assert, describe, it } from "@effect/vitest"
import { makeMemoryServices } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { Decisions } from "../../../src/domains/decisions/Decisions.ts"
import { parseDecisionRequest } from "../../../src/domains/decisions/parseDecisionRequest.ts"
import { emptyArm, emptyMeasures } from "../../../src/domains/experiments/ExperimentMeasures.ts"
import { Experiments } from "../../../src/domains/experiments/Experiments.ts"
import type { ExperimentReport } from "../../../src/domains/experiments/makeExperimentRuns.ts"
import { ExperimentStore } from "../../../src/domains/experiments/ExperimentStore.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import type { ExperimentConfig, Options } from "../../../src/Options.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import type { DecisionReply } from "../../../src/engine/upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import { memoryStores } from "../../../src/domains.ts"
import { fakeChatUpstream, endEvent, parseChat, reply, textDelta } from "../chat/chatFixtures.ts"
import { fakeDecisionUpstream, toTokenPrice } from "../decisions/decisionFixtures.ts"

const caller: Caller = { ...hostCaller, kind: "organization" }

const model = (id: string, provider: string) => ({
  id,
  endpoints: [{ provider, price: toTokenPrice(1) }]
})
const models = [model("a/usual", "usual"), model("a/new", "new")]

const canary: ExperimentConfig = {
  match: { model: "a/usual" },
  to: "a/new",
  mode: "canary",
  share: 0.5
}
const shadow: ExperimentConfig = { ...canary, mode: "shadow", share: 1, budgetUsd: 1 }

const provide = (options: Partial<Options>) =>
  Effect.provide(makeMemoryServices({ models, ...options }))

const decide = (calm: number, rest: Partial<DecisionReply> = {}): Effect.Effect<DecisionReply> =>
  Effect.succeed({
    verdicts: new Map([["calm", { weights: [calm, 1 - calm] }]]),
    usage: { inputTokens: 10, outputTokens: 0 },
    method: "native",
    ...rest
  })
const fail = Effect.fail(new UpstreamFailure({ kind: "server_error", status: 500 }))

const submit = (session?: string, provider?: object) =>
  Effect.gen(function* () {
    const text = JSON.stringify({
      model: "a/usual",
      state: { text: "It is fine." },
      questions: { calm: { type: "noul", instructions: "Is it calm?" } },
      ...(session === undefined ? undefined : { session_id: session }),
      ...(provider === undefined ? undefined : { provider })
    })
    const parsed = yield* Effect.fromResult(
      parseDecisionRequest(text, { bytes: text.length, settings: defaults })
    )
    return yield* Decisions.use((decisions) => decisions.submit(caller, parsed))
  })

const findReport = Effect.gen(function* () {
  const { list } = yield* Experiments
  const [report] = yield* list
  return report as ExperimentReport
})

/** Lets what runs in the background come to its end. */
const settle = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

const upstreams = (
  trial: () => Effect.Effect<DecisionReply, UpstreamFailure> = () => decide(0.9)
) => [fakeDecisionUpstream("usual", () => decide(0.8)), fakeDecisionUpstream("new", trial)]

const failedArm = { ...emptyArm, requests: 500, errors: 500 }
const goodArm = { ...emptyArm, requests: 500 }
/** Acts as another process that measured the experiment. */
const reportElsewhere = Effect.gen(function* () {
  const { experiment, state } = yield* findReport
  const store = yield* ExperimentStore
  yield* store.add(
    experiment.id,
    state.run,
    { ...emptyMeasures, control: goodArm, trial: failedArm },
    0
  )
})
const sync = TestClock.adjust(defaults.experimentSyncMillis)

describe("a shadow", () => {
  it.effect("starts after the answer, and the caller never waits for it", () => {
    const gate = Deferred.makeUnsafe<void>()
    const log: Array<string> = []
    return Effect.gen(function* () {
      const { model } = yield* submit()
      log.push("answered")
      assert.strictEqual(model, "a/usual")
      yield* settle
      assert.deepStrictEqual(log, ["answered", "copied"])
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      const { state } = yield* findReport
      assert.strictEqual(state.total.trial.requests, 1)
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: upstreams(() => {
          log.push("copied")
          return Effect.andThen(Deferred.await(gate), decide(0.9))
        })
      })
    )
  })

  it.effect("reports agreement, cost and latency, on both sides", () => {
    let calm = 0.9
    return Effect.gen(function* () {
      for (const next of [0.9, 0.6, 0.3, 0.7]) {
        calm = next
        yield* submit()
        yield* settle
        yield* TestClock.adjust(40)
        yield* settle
      }
      const { state } = yield* findReport
      const { compared, agreed, control, skipped, trial } = state.total
      assert.deepStrictEqual([compared, agreed, skipped], [4, 3, 0])
      assert.strictEqual(control.cost, 40n)
      assert.strictEqual(trial.cost, 40n)
      assert.strictEqual(control.latency.count, 4)
      assert.strictEqual(trial.latency.count, 4)
      assert.isAbove(trial.latency.first, control.latency.first, "it is slower")
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: upstreams(() =>
          Effect.andThen(
            Effect.sleep(40),
            Effect.suspend(() => decide(calm))
          )
        )
      })
    )
  })

  it.effect("fails no request when it fails or has a defect", () => {
    const outcomes = [fail, Effect.die(new Error("broken")), Effect.die("synchronous")]
    let at = 0
    return Effect.gen(function* () {
      for (const _ of outcomes) {
        const { answers } = yield* submit()
        assert.deepStrictEqual(answers, { calm: { type: "noul", noul: 0.8 } })
        yield* settle
        at += 1
      }
      const { state } = yield* findReport
      assert.deepInclude(state.total.trial, { requests: 3, errors: 3 })
      assert.strictEqual(state.total.compared, 0)
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: upstreams(() => {
          if (at === 2) throw new Error("synchronous")
          return outcomes[at]!
        })
      })
    )
  })

  it.effect("is paid from its own budget, and stops there without failing a request", () => {
    let copies = 0
    return Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* ledger.grant(defaultAccountId, nano(1_000_000n))
      for (let i = 0; i < 5; i++) {
        yield* submit()
        yield* settle
      }
      const { state } = yield* findReport
      // Each reserves 100 nano-USD and costs 10: at 30 spent, a hundred more no longer fit into 125.
      assert.strictEqual(copies, 3)
      assert.deepInclude(state.total, { skipped: 2, compared: 3 })
      assert.strictEqual(state.total.trial.cost, 30n)
      const credits = yield* ledger.findCredits(defaultAccountId)
      assert.strictEqual(credits?.settled, 50n, "the caller paid for five requests")
    }).pipe(
      provide({
        experiments: [{ ...shadow, budgetUsd: "0.000000125" }],
        credits: {},
        upstreams: upstreams(() => {
          copies += 1
          return decide(0.9)
        })
      })
    )
  })

  it.effect("leaves no record of its own", () => {
    const records: Array<string> = []
    return Effect.gen(function* () {
      yield* submit()
      yield* settle
      yield* sync
      assert.deepStrictEqual(records, ["a/usual"])
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: upstreams(),
        broadcast: [(generation) => void records.push(generation.requestedModel)]
      })
    )
  })

  it.effect("has at most so many requests in progress", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 5; i++) yield* submit()
      yield* settle
      const { state } = yield* findReport
      assert.strictEqual(state.total.skipped, 3)
    }).pipe(
      provide({
        experiments: [shadow],
        settings: { maxShadowRequests: 2 },
        upstreams: upstreams(() => Effect.never)
      })
    )
  )

  it.effect("copies whole and streamed chats, and compares what was said", () => {
    const said = fakeChatUpstream("usual", {
      complete: () => Effect.succeed(reply("It is  fine.")),
      steps: [textDelta("It is "), textDelta("fine.", "stop"), endEvent(2)]
    })
    const copied = fakeChatUpstream("new", { complete: () => Effect.succeed(reply("It is fine.")) })
    const request = { model: "a/usual", messages: [{ role: "user", content: "How is it?" }] }
    return Effect.gen(function* () {
      const chats = yield* Chats
      yield* chats.complete(caller, parseChat(request))
      yield* settle
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { chunks } = yield* chats.stream(caller, parseChat({ ...request, stream: true }))
          yield* Stream.runDrain(chunks)
        })
      )
      yield* settle
      const { state } = yield* findReport
      assert.deepInclude(state.total, { compared: 2, agreed: 2 })
    }).pipe(provide({ experiments: [shadow], upstreams: [said, copied] }))
  })

  it.effect("leaves no trace in the conversations of the model on trial", () => {
    const price = { prompt: "0.000002", completion: "0.000002", input_cache_read: "0.000001" }
    const endpoints = ["one", "other"].map((provider) => ({ provider, price }))
    const request = {
      model: "a/usual",
      messages: [{ role: "user", content: "How is it?" }],
      session_id: "one-session"
    }
    return Effect.gen(function* () {
      const chats = yield* Chats
      for (let i = 0; i < 40; i++) {
        yield* chats.complete(caller, parseChat(request))
        yield* settle
      }
      const { state } = yield* findReport
      assert.strictEqual(state.total.trial.requests, 40)
      const { affinity } = yield* chats.plan(caller, parseChat({ ...request, model: "a/new" }))
      assert.strictEqual(affinity?.by, "session_id")
      assert.isDefined(affinity?.key)
      assert.isUndefined(affinity?.shift)
      assert.isUndefined(affinity?.pinned)
    }).pipe(
      provide({
        models: [model("a/usual", "usual"), { id: "a/new", endpoints }],
        experiments: [{ ...shadow, budgetUsd: 100_000 }],
        upstreams: ["usual", "one", "other"].map((slug) =>
          fakeChatUpstream(slug, { complete: () => Effect.succeed(reply("It is fine.")) })
        )
      })
    )
  })

  it.effect("has the time of a whole chat", () =>
    Effect.gen(function* () {
      const chats = yield* Chats
      const request = { model: "a/usual", messages: [{ role: "user", content: "How is it?" }] }
      yield* chats.complete(caller, parseChat(request))
      yield* settle
      yield* TestClock.adjust(defaults.totalTimeoutMillis + 1_000)
      yield* settle
      const { state } = yield* findReport
      assert.deepInclude(state.total.trial, { requests: 1, errors: 0 })
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: [
          fakeChatUpstream("usual", { complete: () => Effect.succeed(reply("Fine.")) }),
          fakeChatUpstream("new", {
            complete: () =>
              Effect.delay(Effect.succeed(reply("Fine.")), defaults.totalTimeoutMillis + 500)
          })
        ]
      })
    )
  )

  it.effect("is not hedged, even if the request asks for it", () => {
    const calls: Array<string> = []
    const endpoints = ["one", "other"].map((provider) => ({ provider, price: toTokenPrice(1) }))
    const slow = (slug: string) =>
      fakeDecisionUpstream(slug, () => {
        calls.push(slug)
        return Effect.delay(decide(0.9), calls.length <= 40 ? 10 : 10_000)
      })
    return Effect.gen(function* () {
      for (let i = 0; i < 40; i++) {
        yield* submit(undefined, { hedge: true })
        yield* settle
        yield* TestClock.adjust(10)
        yield* settle
      }
      assert.strictEqual(calls.length, 40)
      yield* submit(undefined, { hedge: true })
      yield* settle
      yield* TestClock.adjust(1_000)
      yield* settle
      assert.strictEqual(calls.length, 41)
    }).pipe(
      provide({
        models: [model("a/usual", "usual"), { id: "a/new", endpoints }],
        experiments: [shadow],
        hedging: {},
        upstreams: [fakeDecisionUpstream("usual", () => decide(0.8)), slow("one"), slow("other")]
      })
    )
  })

  it.effect("does not copy what the caller broke off", () =>
    Effect.gen(function* () {
      const chats = yield* Chats
      const chat = parseChat({
        model: "a/usual",
        messages: [{ role: "user", content: "How is it?" }],
        stream: true
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { chunks } = yield* chats.stream(caller, chat)
          yield* Stream.runDrain(Stream.take(chunks, 1))
        })
      )
      yield* settle
      const { state } = yield* findReport
      assert.deepStrictEqual(state.total, emptyMeasures)
    }).pipe(
      provide({
        experiments: [shadow],
        upstreams: [
          fakeChatUpstream("usual", { steps: [textDelta("It "), 60_000, endEvent(2)] }),
          fakeChatUpstream("new", {})
        ]
      })
    )
  )
})

describe("a canary", () => {
  it.effect("answers its share, the same sessions every time, and marks the records", () => {
    const records: Array<unknown> = []
    return Effect.gen(function* () {
      const sessions = Array.from({ length: 40 }, (_, i) => `session-${i}`)
      const first = yield* Effect.forEach(sessions, (session) => submit(session))
      const again = yield* Effect.forEach(sessions, (session) => submit(session))
      const toModels = (decisions: typeof first) => decisions.map(({ model }) => model)
      assert.deepStrictEqual(toModels(first), toModels(again))
      const answered = toModels(first).filter((name) => name === "a/new").length
      assert.isTrue(answered > 8 && answered < 32, String(answered))
      const { experiment, state } = yield* findReport
      assert.strictEqual(state.total.trial.requests, 2 * answered)
      assert.strictEqual(state.total.control.requests, 2 * (40 - answered))
      yield* sync
      // Broadcasts are sent one after another, beside the requests.
      while (records.length < 2 * sessions.length) yield* Effect.yieldNow
      assert.includeDeepMembers(records, [
        ["a/usual", "a/new", { id: experiment.id, arm: "canary" }],
        ["a/usual", "a/usual", { id: experiment.id, arm: "control" }]
      ])
    }).pipe(
      provide({
        experiments: [canary],
        upstreams: upstreams(),
        broadcast: [
          ({ experiment, model, requestedModel }) =>
            void records.push([requestedModel, model, experiment])
        ]
      })
    )
  })

  it.effect("falls back to the requested model, so callers notice no failure", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 20; i++) {
        const { model } = yield* submit(`session-${i}`)
        assert.strictEqual(model, "a/usual")
      }
      const { state } = yield* findReport
      assert.isAbove(state.total.trial.requests, 0)
      assert.strictEqual(state.total.trial.errors, state.total.trial.requests)
      assert.strictEqual(state.total.control.errors, 0)
    }).pipe(
      provide({
        experiments: [canary],
        upstreams: upstreams(() => fail),
        settings: { breakerMinSamples: 1_000 }
      })
    )
  )

  it.effect.each<
    readonly [string, () => Effect.Effect<DecisionReply, UpstreamFailure>, Partial<Options>]
  >([
    ["is rejected", () => Effect.fail(new UpstreamFailure({ kind: "forbidden", status: 403 })), {}],
    [
      "finds an open breaker",
      () => fail,
      { settings: { breakerMinSamples: 1, breakerProbeIntervalMillis: 3_600_000 } }
    ]
  ])("whose every call %s ends, although it cannot be measured", ([, trial, options]) =>
    Effect.gen(function* () {
      for (let i = 0; i < 500; i++) yield* submit(`session-${i}`)
      yield* sync
      const { state } = yield* findReport
      assert.strictEqual(state.status, "rolled_back")
      assert.match(state.cause ?? "", /^it answered none of \d{3} requests, and \d{3} of them/)
      assert.strictEqual((yield* submit("session-1")).model, "a/usual")
    }).pipe(provide({ experiments: [canary], upstreams: upstreams(trial), ...options }))
  )

  it.effect("that callers break off is not judged by that", () =>
    Effect.gen(function* () {
      const fibers = yield* Effect.forEach(Array.from({ length: 500 }), (_, i) =>
        Effect.forkChild(submit(`session-${i}`), { startImmediately: true })
      )
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
      yield* sync
      const { state } = yield* findReport
      assert.strictEqual(state.total.control.requests > 200, true)
      assert.include(state, { status: "running" })
      assert.strictEqual(state.total.unmeasured, 0)
    }).pipe(provide({ experiments: [canary], upstreams: upstreams(() => Effect.never) }))
  )

  it.effect("is rolled back and audited once more than five points more requests fail", () =>
    Effect.gen(function* () {
      yield* reportElsewhere
      yield* sync
      const { state } = yield* findReport
      assert.include(state, {
        status: "rolled_back",
        cause: "100.0 % of 500 requests failed, against 0.0 % of 500 with the requested model"
      })
      const { rows } = yield* AuditLog.use((log) => log.list(defaultAccountId, { limit: 10 }))
      assert.deepStrictEqual(
        rows.map(({ action, actor, after, before }) => ({ action, actor, after, before })),
        [
          {
            action: "experiment.roll_back",
            actor: {},
            before: { status: "running" },
            after: {
              mode: "canary",
              model: "a/usual",
              to: "a/new",
              status: "rolled_back",
              at: state.endedAt,
              cause: state.cause
            }
          }
        ]
      )
      for (let i = 0; i < 20; i++) {
        const { model } = yield* submit(`session-${i}`)
        assert.strictEqual(model, "a/usual")
      }
    }).pipe(provide({ experiments: [canary], upstreams: upstreams() }))
  )

  it.effect("stays rolled back in processes that start later, until it is restarted", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(memoryStores)
      const start = (share: number) =>
        Effect.provide(
          makeMemoryServices({
            models,
            stores: Layer.succeedContext(stores),
            experiments: [{ ...canary, share }],
            upstreams: upstreams()
          })
        )
      yield* Effect.andThen(reportElsewhere, sync).pipe(start(0.5), Effect.scoped)
      yield* Effect.gen(function* () {
        const found = yield* findReport
        assert.strictEqual(found.state.status, "rolled_back")
        for (let i = 0; i < 20; i++) {
          assert.strictEqual((yield* submit(`session-${i}`)).model, "a/usual")
        }
        const { restart } = yield* Experiments
        const { state } = yield* restart(caller, found.experiment.id)
        assert.include(state, { status: "running", run: 2 })
        assert.deepStrictEqual(state.total, emptyMeasures)
        const models = yield* Effect.forEach(Array.from({ length: 20 }), (_, i) =>
          Effect.map(submit(`session-${i}`), ({ model }) => model)
        )
        assert.include(models, "a/new")
        const { rows } = yield* AuditLog.use((log) => log.list(defaultAccountId, { limit: 10 }))
        assert.deepStrictEqual(
          rows.map(({ action }) => action),
          ["experiment.restart", "experiment.roll_back"]
        )
      }).pipe(start(0.4), Effect.scoped)
    })
  )

  it.effect("ends when its budget is spent, or it is stopped", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 20; i++) yield* submit(`session-${i}`)
      yield* sync
      const { experiment, state } = yield* findReport
      assert.include(state, { status: "spent", cause: "its budget is spent" })
      const { restart, stop } = yield* Experiments
      yield* restart(caller, experiment.id)
      const stopped = yield* stop(caller, experiment.id)
      assert.include(stopped.state, { status: "stopped", cause: "stopped by hand", run: 2 })
      assert.strictEqual((yield* stop(caller, experiment.id)).state.status, "stopped")
    }).pipe(
      provide({ experiments: [{ ...canary, budgetUsd: 0.00000002 }], upstreams: upstreams() })
    )
  )

  it.effect("never exceeds its budget, however many requests come at once", () => {
    let trials = 0
    return Effect.gen(function* () {
      const { list, restart } = yield* Experiments
      const answers = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, at) => `session-${at}`),
        (session) => submit(session),
        { concurrency: "unbounded" }
      )
      assert.isTrue(answers.every(({ model }) => model === "a/usual" || model === "a/new"))
      // Each reserves 100 nano-USD and costs 10, so two of a burst fit into 250.
      assert.strictEqual(trials, 2)
      const { experiment, state } = yield* findReport
      assert.strictEqual(state.total.trial.cost, 20n)
      assert.isAbove(state.total.skipped, 10)
      assert.strictEqual(state.status, "running")
      for (let at = 0; at < 60; at++) yield* submit(`later-${at}`)
      // With 160 spent, another hundred no longer fits.
      assert.strictEqual(trials, 16)
      yield* sync
      yield* sync
      assert.strictEqual((yield* findReport).state.status, "spent")
      yield* restart(caller, experiment.id)
      for (let at = 0; at < 60; at++) yield* submit(`again-${at}`)
      assert.strictEqual(trials, 32)
      assert.lengthOf(yield* list, 1)
    }).pipe(
      provide({
        experiments: [{ ...canary, budgetUsd: "0.00000025" }],
        upstreams: upstreams(() => {
          trials += 1
          return Effect.andThen(Effect.yieldNow, decide(0.9))
        })
      })
    )
  })

  it.effect("keeps what it measured while the store fails", () => {
    let isBroken = false
    return Effect.gen(function* () {
      yield* submit("session-1")
      isBroken = true
      yield* sync
      isBroken = false
      yield* sync
      const { state } = yield* findReport
      assert.strictEqual(state.total.control.requests + state.total.trial.requests, 1)
    }).pipe(
      provide({
        experiments: [canary],
        upstreams: upstreams(),
        stores: Layer.effectContext(
          Effect.map(Layer.build(memoryStores), (stores) => {
            const store = Context.get(stores, ExperimentStore)
            return Context.add(stores, ExperimentStore, {
              ...store,
              add: (...given) => (isBroken ? Effect.die("no disk") : store.add(...given))
            })
          })
        )
      })
    )
  })

  it.effect("takes no part while its model is not in the catalog", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 20; i++) {
        assert.strictEqual((yield* submit(`session-${i}`)).model, "a/usual")
      }
    }).pipe(provide({ experiments: [{ ...canary, to: "a/gone" }], upstreams: upstreams() }))
  )
})

describe("the option", () => {
  const wrong: ReadonlyArray<readonly [option: unknown, message: RegExp]> = [
    [{ ...canary, share: 1 }, /experiments\.0\.share: must be below 1/],
    [{ ...canary, share: 0 }, /experiments\.0: share: .*a number above 0/],
    [{ ...shadow, budgetUsd: undefined }, /budgetUsd/],
    [{ ...canary, mode: "shadow" }, /experiments\.0\.budgetUsd: is missing/],
    [{ ...canary, to: "a/usual" }, /experiments\.0\.to: must be another model/],
    [{ ...canary, shares: 0.5 }, /experiments\.0: shares/],
    [{ ...canary, budgetUsd: "-1" }, /budgetUsd/]
  ]
  it.effect("names the entry and the field at fault", () =>
    Effect.forEach(wrong, ([option, message]) =>
      Effect.gen(function* () {
        const built = yield* Effect.exit(
          Effect.scoped(
            Layer.build(makeMemoryServices({ experiments: [option as ExperimentConfig] }))
          )
        )
        assert.isTrue(Exit.hasDies(built))
        assert.match(String(Exit.isFailure(built) ? built.cause : ""), message)
      })
    )
  )

  it.effect("refuses the same experiment twice", () =>
    Effect.gen(function* () {
      const built = yield* Effect.exit(
        Effect.scoped(
          Layer.build(makeMemoryServices({ experiments: [canary, { ...canary, share: 0.1 }] }))
        )
      )
      assert.match(
        String(Exit.isFailure(built) ? built.cause : ""),
        /experiments\.1: an earlier one/
      )
    })
  )
})
