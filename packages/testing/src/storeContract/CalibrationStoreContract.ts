/** A test suite for implementations of `CalibrationStore`. */
import {
  type AccountId,
  type CalibrationSample,
  CalibrationStore,
  defaultWorkspaceId,
  type GenerationId,
  GenerationStore,
  type StoredMaps
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

/** Labels last as long as the record of their generation, so each has one. */
const record = (account: AccountId) =>
  Effect.gen(function* () {
    const id = fresh.makeGenerationId()
    yield* GenerationStore.use((store) =>
      store.record([
        {
          id,
          account,
          workspace: defaultWorkspaceId,
          operation: "decisions",
          startedAt: day,
          latencyMillis: 1,
          configuration: 1,
          requestedModel: "a/b",
          attempts: [],
          rejected: [],
          demoted: []
        }
      ])
    )
    return id
  })

/** A time that no background purge takes for the past. */
const day = Date.UTC(2100, 0, 1)

/** A label of an answer. */
export const makeSample = (
  account: AccountId,
  generation: GenerationId,
  changes: Partial<CalibrationSample> = {}
): CalibrationSample => ({
  account,
  generation,
  name: "00000000000000aa",
  question: "00000000000000bb",
  model: "a/b-2026",
  method: "logprobs",
  kind: "choice",
  probabilities: [0.5, 0.25, 0.25],
  label: 1,
  weight: 1,
  askedAt: day,
  labeledAt: day + 1,
  ...changes
})

const makeMaps = (model = "a/b-2026", fittedAt = day): StoredMaps => ({
  model,
  method: "logprobs",
  kind: "choice",
  fitted: { fittedAt, maps: [] }
})

const { forget, label, listGroups, listSamples, load, saveMaps } = {
  forget: (...input: Parameters<CalibrationStore["Service"]["forget"]>) =>
    CalibrationStore.use((store) => store.forget(...input)),
  label: (...input: Parameters<CalibrationStore["Service"]["label"]>) =>
    CalibrationStore.use((store) => store.label(...input)),
  listGroups: (...input: Parameters<CalibrationStore["Service"]["listGroups"]>) =>
    CalibrationStore.use((store) => store.listGroups(...input)),
  listSamples: (...input: Parameters<CalibrationStore["Service"]["listSamples"]>) =>
    CalibrationStore.use((store) => store.listSamples(...input)),
  load: (...input: Parameters<CalibrationStore["Service"]["load"]>) =>
    CalibrationStore.use((store) => store.load(...input)),
  saveMaps: (...input: Parameters<CalibrationStore["Service"]["saveMaps"]>) =>
    CalibrationStore.use((store) => store.saveMaps(...input))
}

/** Registers the suite; the layer also provides the `GenerationStore` beside it. */
export const CalibrationStoreContract = (
  implementation: string,
  layer: Layer.Layer<CalibrationStore | GenerationStore, unknown>
): void => {
  const run = makeRunTest(layer)
  const secret = "0123456789abcdef".repeat(4)

  describe(`CalibrationStore contract: ${implementation}`, () => {
    it("keeps the first secret of an account, also of concurrent ones", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const loaded = yield* Effect.forEach(
            Array.from({ length: 8 }, (_, at) => String(at).repeat(64)),
            (newSecret) => load(account, newSecret),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(new Set(loaded.map(({ secret }) => secret)), 1)
          assert.strictEqual((yield* load(account, secret)).secret, loaded[0]!.secret)
          assert.strictEqual((yield* load(fresh.makeAccountId(), secret)).secret, secret)
        })
      ))

    it("returns labels as they were given, the latest first, and replaces them", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const [one, other] = [yield* record(account), yield* record(account)]
          const weird = makeSample(account, other, {
            model: "a\\b\0c",
            method: "__proto__",
            kind: "noul",
            probabilities: [Math.fround(0.1), Math.fround(0.9)],
            weight: 2.5,
            pair: "c/d",
            catalogModel: "a/b",
            labeler: { user: "__proto__", key: "aa", isManager: true },
            labeledAt: day + 2
          })
          yield* label([makeSample(account, one), weird])
          assert.deepStrictEqual(yield* listSamples({ account }, 10), [
            weird,
            makeSample(account, one)
          ])
          assert.deepStrictEqual(yield* listSamples({ account }, 1), [weird])
          const again = makeSample(account, one, { label: 2, labeledAt: day + 3 })
          yield* label([again])
          assert.deepStrictEqual(yield* listSamples({ account }, 10), [again, weird])
          assert.deepStrictEqual(yield* listSamples({ account, model: weird.model }, 10), [weird])
          yield* label([])
        })
      ))

    it("selects labels, and finds the same answer of two models", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const id = yield* record(account)
          const samples = [
            makeSample(account, id),
            makeSample(account, id, { model: "c/d" }),
            makeSample(account, id, { name: "00000000000000cc", question: "00000000000000dd" }),
            makeSample(account, id, { name: "00000000000000ee", kind: "score", labeledAt: day + 9 })
          ]
          yield* label(samples)
          const count = (filter: Omit<Parameters<typeof listSamples>[0], "account">) =>
            Effect.map(listSamples({ account, ...filter }, 10), (found) => found.length)
          assert.strictEqual(yield* count({}), 4)
          assert.strictEqual(yield* count({ model: "c/d" }), 1)
          assert.strictEqual(yield* count({ kind: "score" }), 1)
          assert.strictEqual(yield* count({ method: "stated" }), 0)
          assert.strictEqual(yield* count({ question: "00000000000000dd" }), 1)
          assert.strictEqual(yield* count({ since: day + 2 }), 1)
          const pair = yield* listSamples({ account, question: "00000000000000bb" }, 10)
          assert.sameMembers(
            pair.flatMap(({ model, name }) => (name === "00000000000000aa" ? [model] : [])),
            ["a/b-2026", "c/d"]
          )
          assert.sameDeepMembers(
            [...(yield* listGroups({ account }))],
            [
              { model: "a/b-2026", method: "logprobs", kind: "choice", samples: 2 },
              { model: "a/b-2026", method: "logprobs", kind: "score", samples: 1 },
              { model: "c/d", method: "logprobs", kind: "choice", samples: 1 }
            ]
          )
          assert.lengthOf(yield* listGroups({ account, question: "00000000000000dd" }), 1)
        })
      ))

    it("keeps the labels and maps of accounts apart", () =>
      run(
        Effect.gen(function* () {
          const [account, other] = [fresh.makeAccountId(), fresh.makeAccountId()]
          yield* load(account, secret)
          const { epoch } = yield* load(other, secret)
          yield* label([
            makeSample(account, yield* record(account)),
            makeSample(other, yield* record(other))
          ])
          yield* saveMaps(other, makeMaps(), epoch)
          assert.strictEqual(yield* forget({ account }), 1)
          assert.lengthOf(yield* listSamples({ account }, 10), 0)
          assert.lengthOf(yield* listSamples({ account: other }, 10), 1)
          assert.lengthOf((yield* load(other, secret)).maps, 1)
          assert.strictEqual((yield* load(other, secret)).epoch, epoch)
        })
      ))

    it("replaces maps, and forgets those of forgotten labels for good", () =>
      run(
        Effect.gen(function* () {
          const account = fresh.makeAccountId()
          const before = yield* load(account, secret)
          assert.deepStrictEqual(before.maps, [])
          yield* saveMaps(account, makeMaps(), before.epoch)
          yield* saveMaps(account, makeMaps("a/b-2026", day + 5), before.epoch)
          yield* saveMaps(account, makeMaps("c/d"), before.epoch)
          assert.sameDeepMembers(
            [...(yield* load(account, secret)).maps],
            [makeMaps("a/b-2026", day + 5), makeMaps("c/d")]
          )
          const id = yield* record(account)
          yield* label([makeSample(account, id), makeSample(account, id, { model: "c/d" })])
          assert.strictEqual(yield* forget({ account, model: "c/d" }), 1)
          assert.lengthOf(yield* listSamples({ account }, 10), 1)
          // A fit that began before may not bring them back.
          yield* saveMaps(account, makeMaps("c/d"), before.epoch)
          const after = yield* load(account, secret)
          assert.deepStrictEqual(after.maps, [makeMaps("a/b-2026", day + 5)])
          yield* saveMaps(account, makeMaps("c/d"), after.epoch)
          assert.lengthOf((yield* load(account, secret)).maps, 2)
          assert.strictEqual(yield* forget({ account, question: "00000000000000bb" }), 1)
          assert.lengthOf((yield* load(account, secret)).maps, 0)
        })
      ))
  })
}
