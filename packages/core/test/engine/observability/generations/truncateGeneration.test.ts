import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import {
  truncateGeneration,
  maxModels,
  maxPreferencesCharacters,
  maxTextCharacters,
  maxTraceCharacters,
  maxReasons
} from "../../../../src/engine/observability/generations/truncateGeneration.ts"
import type {
  Generation,
  GenerationReason
} from "../../../../src/engine/observability/generations/Generation.ts"
import { GenerationId } from "../../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import type { Trace } from "../../../../src/values/Trace.ts"

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 9 }), fc.integer({ max: 1_500 }))
    .map(([part, length]) => part.repeat(Math.ceil(Math.max(1, length) / part.length)))
)
const trace: fc.Arbitrary<Trace> = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom("trace_id", "span_name", "__proto__", "constructor", ""), text),
      fc.oneof(text, fc.jsonValue({ maxDepth: 4 }), fc.array(text, { maxLength: 8 }))
    ),
    { maxLength: 30 }
  )
  .map((entries) => Object.fromEntries(entries))

const reasonOf = (wanted: string): GenerationReason => ({
  endpoint: "a/b@one",
  rule: "only",
  source: "request",
  wanted,
  found: "one"
})

const generationOf = (
  requestedModel: string,
  wanted: ReadonlyArray<string> = [],
  more: Pick<Generation, "model" | "trace"> = {}
): Generation => ({
  id: GenerationId.make("gen-dec-1"),
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  configuration: 1,
  startedAt: 1,
  latencyMillis: 0,
  requestedModel,
  attempts: [],
  rejected: wanted.map(reasonOf),
  demoted: wanted.map(reasonOf),
  ...more
})

const generation = fc
  .tuple(text, fc.array(text, { maxLength: 3 }), fc.option(text), fc.option(trace))
  .map(([requested, wanted, model, traced]) =>
    generationOf(requested, wanted, {
      ...(model === null ? undefined : { model }),
      ...(traced === null ? undefined : { trace: traced })
    })
  )

const small = (each: string): boolean => each.length <= maxTextCharacters

const runs = { numRuns: scaleRuns(2_000) }

describe("truncateGeneration", () => {
  it("bounds all values of callers and upstreams", () => {
    fc.assert(
      fc.property(generation, (before) => {
        const after = truncateGeneration(before)
        const texts = [
          after.requestedModel,
          after.model ?? "",
          ...[...after.rejected, ...after.demoted].map(({ wanted }) => wanted)
        ]
        assert.deepStrictEqual(
          texts.filter((each) => !small(each)),
          []
        )
        assert.isAtMost(JSON.stringify(after.trace ?? {}).length, maxTraceCharacters)
      }),
      runs
    )
  })

  it("leaves small records unchanged, and truncates nothing twice", () => {
    fc.assert(
      fc.property(generation, (before) => {
        const after = truncateGeneration(before)
        const fits =
          small(before.requestedModel) &&
          small(before.model ?? "") &&
          before.rejected.every(({ wanted }) => small(wanted)) &&
          Object.values(before.trace ?? {}).every(
            (value) => typeof value !== "string" || small(value)
          ) &&
          JSON.stringify(Object.entries(before.trace ?? {})).length <= maxTraceCharacters
        if (fits) assert.deepStrictEqual(after, before)
        assert.deepStrictEqual(truncateGeneration(after), after)
      }),
      runs
    )
  })

  it("keeps the beginning of a text, the order of entries, and all fields of the router", () => {
    fc.assert(
      fc.property(generation, (before) => {
        const copy = structuredClone(before)
        const after = truncateGeneration(before)
        const { demoted, model, rejected, requestedModel, trace: traced, ...rest } = after
        assert.deepStrictEqual(before, copy)
        assert.deepStrictEqual({ ...before, ...rest }, before)
        assert.strictEqual(model === undefined, before.model === undefined)
        assert.strictEqual(rejected.length, before.rejected.length)
        assert.deepStrictEqual(demoted, rejected)
        // The last two may be half of a character and the ellipsis.
        const beginning = Array.from(requestedModel).slice(0, -2).join("")
        assert.isTrue(before.requestedModel.startsWith(beginning))
        const keys = Object.keys(before.trace ?? {})
        const kept = Object.keys(traced ?? {})
        assert.deepStrictEqual(
          kept,
          keys.filter((key) => kept.includes(key))
        )
      }),
      runs
    )
  })

  it("bounds the rejection reasons of a request that names every model", () => {
    const wanted = Array.from({ length: 5_000 }, (_, at) => `${at}`)
    const { demoted, rejected } = truncateGeneration(generationOf("a/b", wanted))
    assert.deepStrictEqual(rejected, wanted.slice(0, maxReasons).map(reasonOf))
    assert.deepStrictEqual(demoted, rejected)
  })

  it("bounds the trace of a request", () => {
    const huge = "x".repeat(1_000_000)
    const { trace } = truncateGeneration(
      generationOf("a/b", [], {
        trace: JSON.parse(
          JSON.stringify({ [huge]: 1, trace_name: huge, big: [huge], trace_id: "0af7", last: [1] })
        )
      })
    )
    assert.deepStrictEqual(trace, {
      trace_name: `${"x".repeat(maxTextCharacters - 1)}…`,
      trace_id: "0af7",
      last: [1]
    })
  })

  it("keeps each preference whole or only its name", () => {
    const order = Array.from({ length: 2_000 }, (_, at) => `provider-${at}`)
    const preferences = { order, only: ["x".repeat(600)], zdr: true }
    const after = truncateGeneration({ ...generationOf("a/b"), preferences })
    assert.deepStrictEqual(after.preferences, { only: preferences.only, zdr: true })
    assert.deepStrictEqual(after.omittedPreferences, ["order"])
    assert.deepStrictEqual(truncateGeneration(after), after)
    const lists = Object.fromEntries(
      ["order", "only", "ignore"].map((name) => [name, order.slice(0, 300)])
    )
    const kept = truncateGeneration({ ...generationOf("a/b"), preferences: lists })
    assert.isAtMost(JSON.stringify(kept.preferences).length, maxPreferencesCharacters)
    assert.deepStrictEqual(
      [...Object.keys(kept.preferences ?? {}), ...(kept.omittedPreferences ?? [])],
      ["order", "only", "ignore"]
    )
  })

  it("bounds the fallbacks of a request", () => {
    const models = Array.from({ length: 500 }, (_, at) => `a/${at}`.padEnd(2_000, "x"))
    const after = truncateGeneration({ ...generationOf("a/b"), models, resolvedModels: models })
    assert.strictEqual(after.models?.length, maxModels)
    assert.isTrue(after.models?.every(small))
    assert.deepStrictEqual(after.resolvedModels, after.models)
    const few = { ...generationOf("a/b"), models: ["a/b", "a/c"] }
    assert.deepStrictEqual(truncateGeneration(few), few)
  })

  it("splits no character", () => {
    for (const beginning of ["", "x"]) {
      const { requestedModel } = truncateGeneration(generationOf(beginning + "🐂".repeat(400)))
      assert.isTrue(requestedModel.isWellFormed())
      assert.match(requestedModel, /^x?(🐂)+\ufffd?…$/u)
    }
  })
})
