import { assert, describe, it } from "@effect/vitest"
import { makeMemoryServices } from "@signalbox/testing"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Calibrations } from "../../../src/domains/calibration/Calibrations.ts"
import { CalibrationStore } from "../../../src/domains/calibration/CalibrationStore.ts"
import type { Decision } from "../../../src/domains/decisions/Decision.ts"
import { Decisions } from "../../../src/domains/decisions/Decisions.ts"
import { parseDecisionRequest } from "../../../src/domains/decisions/parseDecisionRequest.ts"
import { isLabelWanted } from "../../../src/domains/calibration/Labeler.ts"
import { RoutingMetadataRecorder } from "../../../src/api/operation/RoutingMetadataRecorder.ts"
import { GenerationStore } from "../../../src/engine/observability/generations/GenerationStore.ts"
import type { Questions } from "../../../src/questions/Question.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import type { DecisionReply } from "../../../src/engine/upstreams/DecisionCapability.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { AccountId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"

/** Answers every question with the weights that its state has under the name of the question. */
const upstream = {
  slug: "one",
  name: "One",
  decisions: {
    decide: ({ model, state }: { readonly model: string; readonly state: unknown }) =>
      Effect.succeed<DecisionReply>({
        // Safe: the tests below write such states.
        verdicts: new Map(state as ReadonlyArray<[string, { weights: Array<number> }]>),
        usage: { inputTokens: 1, outputTokens: 0 },
        method: "logprobs",
        model
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 0 })
  }
}
const price = { prompt: "1e-9", completion: "1e-9" }
const models = ["a/b", "c/d"].map((id) => ({
  id,
  endpoints: [{ provider: "one", price, model: `${id}-2026` }]
}))

const spam = { type: "noul", instructions: "Is it spam?" } as const
const team = {
  type: "choice",
  instructions: "Which team?",
  criteria: { billing: null, ["__proto__"]: null, sales: "They sell" }
} as const
const anger = {
  type: "score",
  instructions: "How angry?",
  criteria: ["calm", "cross", "mad"]
} as const

const provide = (settings: Partial<Settings.SettingsShape> = {}) =>
  Effect.provide(
    Layer.mergeAll(Decisions.layer).pipe(
      Layer.provideMerge(makeMemoryServices({ upstreams: [upstream], models, settings })),
      Layer.provideMerge(TestClock.layer())
    )
  )

const parse = (request: object) =>
  Effect.flatMap(Settings.Settings, (settings) =>
    Effect.fromResult(
      parseDecisionRequest(JSON.stringify(request), { bytes: 100, session: undefined, settings })
    )
  )

interface Asked {
  readonly questions?: Record<string, unknown>
  readonly weights: Readonly<Record<string, ReadonlyArray<number>>>
  readonly calibration?: object
  readonly caller?: Caller
  readonly model?: string
}

const ask = Effect.fnUntraced(function* ({
  calibration = { mode: "auto" },
  caller = hostCaller,
  model = "a/b",
  questions = { spam },
  weights
}: Asked): Effect.fn.Return<Decision & { readonly id: string }, unknown, Decisions> {
  const parsed = yield* parse({
    model,
    state: Object.entries(weights).map(([name, weights]) => [name, { weights }]),
    questions,
    calibration
  })
  const decision = yield* (yield* Decisions).submit(caller, parsed)
  return { ...decision, id: decision.id! }
})

const label = (
  generation: string,
  labels: Readonly<Record<string, boolean | number | string>>,
  caller: Caller = hostCaller
) =>
  Calibrations.use((calibrations) => calibrations.label(caller, { generation, labels, weight: 1 }))

const refit = (caller: Caller = hostCaller) =>
  Calibrations.use(({ refit }) => refit(caller.account, {}))

const toCaller = (account: string): Caller => ({ ...hostCaller, account: AccountId.make(account) })

/** Yes/no answers that are too sure: 0.98 is right in 7 of 10 cases. */
const teach = (count: number, caller: Caller = hostCaller, model = "a/b") =>
  Effect.forEach(Array.from({ length: count }).keys(), (at) =>
    Effect.gen(function* () {
      const { id } = yield* ask({ weights: { spam: [0.98, 0.02] }, caller, model })
      yield* label(id, { spam: at % 10 < 7 }, caller)
    })
  )

const getNoul = ({ answers }: Decision): number => {
  const answer = answers["spam"]
  return answer?.type === "noul" ? answer.noul : assert.fail("no yes/no answer")
}

const raw = { weights: { spam: [0.98, 0.02] } }

describe("Calibrations", () => {
  it.effect("learns from labels, soon after them and beside requests", () =>
    Effect.gen(function* () {
      assert.strictEqual(getNoul(yield* ask(raw)), 0.98)
      yield* teach(40)
      for (let round = 0; round < 60; round++) yield* TestClock.adjust(1_000)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const fitted = yield* Calibrations.use(({ report }) => report(hostCaller.account, {}))
      assert.isAbove(fitted[0]!.fitted.maps[0]!.all.samples, 0)
      yield* refit()
      assert.approximately(getNoul(yield* ask(raw)), 0.7, 0.08)
    }).pipe(provide())
  )

  it.effect(
    "leaves other accounts and models, and answers that do not ask for it, as they are",
    () =>
      Effect.gen(function* () {
        yield* teach(40)
        yield* refit()
        assert.isBelow(getNoul(yield* ask(raw)), 0.9)
        assert.strictEqual(getNoul(yield* ask({ ...raw, caller: toCaller("other") })), 0.98)
        assert.strictEqual(getNoul(yield* ask({ ...raw, model: "c/d" })), 0.98)
        const off = yield* ask({ ...raw, calibration: { mode: "off" } })
        assert.strictEqual(getNoul(off), 0.98)
        // A poisoner spoils the maps of its own account.
        const before = getNoul(yield* ask(raw))
        yield* teach(40, toCaller("other"))
        yield* refit(toCaller("other"))
        yield* Calibrations.use(({ forget }) => forget({ account: AccountId.make("other") }, {}))
        assert.strictEqual(getNoul(yield* ask(raw)), before)
      }).pipe(provide())
  )

  it.effect("keeps numbers and hashes in the record, and only of Decisions that ask for it", () =>
    Effect.gen(function* () {
      const store = yield* GenerationStore
      const find = (id: string) => store.find(hostCaller.account, GenerationId.make(id))
      const questions = { spam, ["__proto__"]: team, anger }
      const weights = {
        spam: [1, 3],
        ["__proto__"]: [0.2, 0.5, 0.3],
        anger: [0.2, 0.3, 0.5]
      }
      const asked = yield* ask({ questions, weights })
      const record = yield* find(asked.id)
      assert.lengthOf(record?.labelable ?? [], 3)
      const text = JSON.stringify(record?.labelable)
      for (const word of ["spam", "proto", "anger", "team", "billing", "sell", "cross"]) {
        assert.notInclude(text, word)
      }
      const off = yield* ask({ questions, weights, calibration: { mode: "off" } })
      assert.notProperty(yield* find(off.id), "labelable")
      // The same question under another name, with its keys in another order, has the same key.
      const { criteria, instructions, type } = team
      const again = yield* ask({
        questions: { other: { criteria, type, instructions } },
        weights: { other: [1, 1, 1] }
      })
      const [first, second] = [record?.labelable?.[1], (yield* find(again.id))?.labelable?.[0]]
      assert.strictEqual(first?.key, second?.key)
      assert.notStrictEqual(first?.name, second?.name)
      // Another account has other hashes.
      const caller = toCaller("other")
      const foreign = yield* ask({
        questions: { other: team },
        weights: { other: [1, 1, 1] },
        caller
      })
      const kept = yield* store.find(caller.account, GenerationId.make(foreign.id))
      assert.notStrictEqual(kept?.labelable?.[0]?.key, second?.key)
      assert.strictEqual(
        yield* label(asked.id, { spam: false, ["__proto__"]: "__proto__", anger: 2 }),
        3
      )
      const samples = yield* CalibrationStore.use((labels) =>
        labels.listSamples({ account: hostCaller.account }, 10)
      )
      assert.deepStrictEqual(
        samples.map(({ kind, label, model, probabilities }) => [
          kind,
          label,
          model,
          probabilities.map((p) => Math.round(p * 100))
        ]),
        samples.map(({ kind }) => [
          kind,
          kind === "noul" ? 1 : kind === "choice" ? 1 : 2,
          "a/b-2026",
          kind === "noul" ? [25, 75] : kind === "choice" ? [20, 50, 30] : [20, 30, 50]
        ])
      )
    }).pipe(provide())
  )

  it.effect("takes no label of a request with one that does not fit", () =>
    Effect.gen(function* () {
      const questions = { spam, team, anger }
      const weights = { spam: [1, 3], team: [1, 2, 3], anger: [1, 2, 3] }
      const { id } = yield* ask({ questions, weights })
      const wrong: ReadonlyArray<Parameters<typeof label>[1]> = [
        { spam: "yes" },
        { spam: 1 },
        { team: "delivery" },
        { team: 0 },
        { anger: 3 },
        { anger: 0.5 },
        { anger: true },
        { toString: true },
        { spam: true, nothing: true }
      ]
      for (const labels of wrong) {
        const error = yield* Effect.flip(label(id, labels))
        assert.strictEqual(error._tag, "InvalidRequest", JSON.stringify(labels))
      }
      assert.strictEqual(
        (yield* Effect.flip(label("gen-no", { spam: true })))._tag,
        "ResourceNotFound"
      )
      const stranger = yield* Effect.flip(label(id, { spam: true }, toCaller("other")))
      assert.strictEqual(stranger._tag, "ResourceNotFound")
      const neighbour = { ...hostCaller, workspace: WorkspaceId.make(crypto.randomUUID()) }
      const elsewhere = yield* Effect.flip(label(id, { spam: true }, neighbour))
      assert.strictEqual(elsewhere._tag, "ResourceNotFound")
      const off = yield* ask({ questions, weights, calibration: { mode: "off" } })
      assert.strictEqual((yield* Effect.flip(label(off.id, { spam: true })))._tag, "NotLabelable")
      const samples = yield* CalibrationStore.use((labels) =>
        labels.listSamples({ account: hostCaller.account }, 10)
      )
      assert.deepStrictEqual(samples, [])
    }).pipe(provide())
  )

  it.effect("labels the first 64 questions with at most 32 options, and calibrates all", () =>
    Effect.gen(function* () {
      const large = {
        ...team,
        criteria: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`label ${at}`, null]))
      }
      const names = Array.from({ length: 65 }, (_, at) => `question ${at}`)
      const decision = yield* ask({
        questions: { large, ...Object.fromEntries(names.map((name) => [name, spam])) },
        weights: {
          large: Array.from({ length: 33 }, () => 1),
          ...Object.fromEntries(names.map((name) => [name, [1, 1]]))
        }
      })
      assert.lengthOf(Object.keys(decision.answers), 66)
      assert.strictEqual(yield* label(decision.id, { "question 63": true }), 1)
      for (const name of ["large", "question 64"]) {
        const error = yield* Effect.flip(label(decision.id, { [name]: "label 1" }))
        assert.strictEqual(error._tag, "InvalidRequest")
      }
    }).pipe(provide())
  )

  it.effect("adds answer sets: all options first, fewer once labels say so", () =>
    Effect.gen(function* () {
      const questions: Questions = { team, anger }
      const random = makeRandom(31)
      const calibration = { mode: "auto", coverage: 0.8 }
      const weights = { team: [0.1, 0.8, 0.1], anger: [0.7, 0.1, 0.2] }
      const before = yield* ask({ questions, weights, calibration })
      assert.deepStrictEqual(
        [before.answers["team"]?.prediction_set, before.answers["anger"]?.prediction_set],
        [
          ["billing", "__proto__", "sales"],
          [0, 1, 2]
        ]
      )
      for (let at = 0; at < 60; at++) {
        const { id } = yield* ask({ questions, weights })
        const isRight = random() < 0.9
        yield* label(id, { team: isRight ? "__proto__" : "sales", anger: isRight ? 0 : 2 })
      }
      yield* refit()
      const { answers } = yield* ask({ questions, weights, calibration })
      assert.deepStrictEqual(answers["team"]?.prediction_set, ["__proto__"])
      assert.deepStrictEqual(answers["anger"]?.prediction_set, [0])
      const plain = yield* ask({ questions, weights })
      assert.notProperty(plain.answers["team"], "prediction_set")
    }).pipe(provide())
  )

  it.effect("derives score and confidence again, and keeps the choice", () =>
    Effect.gen(function* () {
      const questions: Questions = { team, anger }
      const weights = { team: [0.02, 0.96, 0.02], anger: [0.02, 0.02, 0.96] }
      for (let at = 0; at < 40; at++) {
        const { id } = yield* ask({ questions, weights })
        yield* label(id, {
          team: at % 2 === 0 ? "__proto__" : "billing",
          anger: at % 2 === 0 ? 2 : 0
        })
      }
      yield* refit()
      const { answers } = yield* ask({ questions, weights })
      const [choice, score] = [answers["team"], answers["anger"]]
      if (choice?.type !== "choice" || score?.type !== "score") return assert.fail("wrong types")
      const probabilities = Object.entries(choice.probabilities ?? {})
      assert.deepStrictEqual(
        probabilities.map(([name]) => name),
        ["billing", "__proto__", "sales"]
      )
      const best = probabilities[1]![1]
      assert.isBelow(best, 0.8)
      assert.strictEqual(choice.choice, "__proto__")
      assert.approximately(choice.confidence!, (best - 1 / 3) / (2 / 3), 1e-9)
      const levels = Object.values(score.probabilities ?? {})
      assert.approximately(score.score, levels[1]! + 2 * levels[2]!, 1e-9)
      assert.isBelow(score.confidence!, 0.7)
    }).pipe(provide())
  )

  it.effect("gives a question with fifty labels a map of its own", () =>
    Effect.gen(function* () {
      const ham = { type: "noul", instructions: "Is it ham?" } as const
      const questions = { spam, ham }
      const weights = { spam: [0.98, 0.02], ham: [0.98, 0.02] }
      for (let at = 0; at < 60; at++) {
        const { id } = yield* ask({ questions, weights })
        yield* label(id, { spam: at % 10 < 5, ham: at % 20 > 0 })
      }
      yield* refit()
      const { answers } = yield* ask({ questions, weights })
      const [first, second] = [answers["spam"], answers["ham"]]
      if (first?.type !== "noul" || second?.type !== "noul") return assert.fail("wrong types")
      assert.isBelow(first.noul, 0.65)
      assert.isAbove(second.noul, 0.8)
      const [stored] = yield* Calibrations.use(({ report }) => report(hostCaller.account, {}))
      assert.lengthOf(stored?.fitted.maps ?? [], 3)
      const key = stored!.fitted.maps[1]!.question!
      const forgotten = yield* Calibrations.use(({ forget }) =>
        forget(hostCaller, { question: key })
      )
      assert.strictEqual(forgotten, 60)
      const [left] = yield* Calibrations.use(({ report }) => report(hostCaller.account, {}))
      assert.lengthOf(left?.fitted.maps ?? [], 2)
      assert.strictEqual(left?.fitted.maps[0]?.all.samples, 60)
    }).pipe(provide())
  )

  it.effect("forgets labels, and those of records that are gone", () =>
    Effect.gen(function* () {
      yield* teach(40)
      yield* refit()
      assert.isBelow(getNoul(yield* ask(raw)), 0.9)
      assert.strictEqual(yield* Calibrations.use(({ forget }) => forget(hostCaller, {})), 40)
      assert.strictEqual(getNoul(yield* ask(raw)), 0.98)
      yield* teach(40)
      yield* refit()
      // Pushed out of memory by other records.
      yield* Effect.forEach(Array.from({ length: 100 }), () => ask(raw))
      yield* refit()
      assert.strictEqual(getNoul(yield* ask(raw)), 0.98)
    }).pipe(provide({ maxGenerations: 100, recordDelayMillis: 0 }))
  )

  it.effect("fits to the labels of ninety days", () =>
    Effect.gen(function* () {
      yield* teach(40)
      yield* TestClock.adjust(91 * 86_400_000)
      yield* refit()
      assert.isAbove(yield* Clock.currentTimeMillis, 0)
      assert.strictEqual(getNoul(yield* ask(raw)), 0.98)
    }).pipe(provide())
  )

  it.effect("answers as the model did while its store is unavailable", () =>
    Effect.gen(function* () {
      const decision = yield* ask({ ...raw, calibration: { mode: "auto", coverage: 0.9 } })
      assert.strictEqual(getNoul(decision), 0.98)
      assert.deepStrictEqual(decision.answers["spam"]?.prediction_set, [true, false])
    }).pipe(
      Effect.provide(
        Decisions.layer.pipe(
          Layer.provideMerge(Calibrations.layer),
          Layer.provide(
            Layer.mock(CalibrationStore, {
              load: () => Effect.die(new StoreUnavailable({ cause: "no disk" }))
            })
          ),
          Layer.provideMerge(makeMemoryServices({ upstreams: [upstream], models }))
        )
      )
    )
  )

  it.effect("asks for labels of the Decisions that the seeds of their plans draw", () =>
    Effect.gen(function* () {
      const parsed = yield* parse({ model: "a/b", state: [], questions: { spam } })
      const { plan } = yield* Decisions
      const applied = { map: "none", samples: 0, scope: null, key: null } as const
      const seeds = Array.from({ length: 200 }, (_, seed) => seed)
      for (const seed of seeds) {
        const recorder = new RoutingMetadataRecorder(
          Headers.fromRecordUnsafe({ "x-signalbox-metadata": "enabled" })
        )
        recorder.onPlan(yield* plan(hostCaller, parsed, { seed }))
        assert.notProperty(recorder.toMetadata()?.["service_metadata"], "calibration")
        recorder.onCalibration({ spam: applied })
        const metadata = recorder.toMetadata()?.["service_metadata"]
        assert.deepStrictEqual(metadata, {
          ...Object(metadata),
          calibration: {
            questions: { spam: applied },
            ...(isLabelWanted(seed) ? { label_wanted: true } : undefined)
          }
        })
      }
      assert.isNotEmpty(seeds.filter(isLabelWanted))
    }).pipe(provide())
  )

  it.effect("is on for every Decision where the host sets it", () =>
    Effect.gen(function* () {
      const parsed = yield* parse({
        model: "a/b",
        state: [["spam", { weights: [1, 1] }]],
        questions: { spam }
      })
      const { id } = yield* (yield* Decisions).submit(hostCaller, parsed)
      assert.strictEqual(yield* label(id!, { spam: true }), 1)
      const off = yield* ask({ ...raw, calibration: { mode: "off" } })
      assert.strictEqual((yield* Effect.flip(label(off.id, { spam: true })))._tag, "NotLabelable")
    }).pipe(provide({ calibrateDecisions: true }))
  )
})
