import * as FastCheck from "fast-check"
import { assert, describe, it } from "vitest"
import * as Measures from "../../../../src/engine/observability/rollups/Measures.ts"
import * as Rollup from "../../../../src/engine/observability/rollups/Rollup.ts"
import {
  decodeRollup,
  encodeRollup
} from "../../../../src/engine/observability/rollups/rollupDocument.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"
import { measures, rollup } from "./rollupArbitraries.ts"

/** A rollup without the order of its values. */
const sorted = ({ other, values }: Rollup.Rollup) => ({
  other,
  values: Array.from(values).toSorted(([one], [that]) =>
    JSON.stringify(one) < JSON.stringify(that) ? -1 : 1
  )
})

const check = <Ts extends [unknown, ...Array<unknown>]>(
  arbitraries: { [K in keyof Ts]: FastCheck.Arbitrary<Ts[K]> },
  test: (...values: Ts) => void
): void => FastCheck.assert(FastCheck.property(...arbitraries, test))

describe("Rollup", () => {
  it("merges associatively and commutatively", () =>
    check([rollup, rollup, rollup], (one, two, three) => {
      assert.deepStrictEqual(
        sorted(Rollup.merge(Rollup.merge(one, two), three)),
        sorted(Rollup.merge(one, Rollup.merge(two, three)))
      )
      assert.deepStrictEqual(sorted(Rollup.merge(one, two)), sorted(Rollup.merge(two, one)))
    }))

  it("keeps every total exact, for any order of merges and prunings", () =>
    check(
      [FastCheck.array(FastCheck.tuple(rollup, FastCheck.nat({ max: 6 })), { maxLength: 6 })],
      (parts) => {
        const pruned = parts.reduce<Rollup.Rollup>(
          (sum, [part, limit]) => Rollup.prune(Rollup.merge(sum, part), limit),
          Rollup.empty
        )
        assert.deepStrictEqual(
          Rollup.total(pruned),
          Measures.mergeAll(parts.map(([part]) => Rollup.total(part)))
        )
        assert.isAtMost(pruned.values.size, parts.at(-1)?.[1] ?? 0)
      }
    ))

  it("prunes no value that has more requests and a higher cost than one that is kept", () =>
    check([rollup, FastCheck.nat({ max: 6 })], (before, limit) => {
      const { values } = Rollup.prune(before, limit)
      for (const [pruned, of] of before.values) {
        if (values.has(pruned)) continue
        for (const kept of values.values()) {
          assert.isFalse(of.requests > kept.requests && of.cost > kept.cost)
        }
      }
    }))

  it("merges many measures as it merges two", () =>
    check([FastCheck.array(measures, { maxLength: 6 })], (all) =>
      assert.deepStrictEqual(
        Measures.mergeAll(all),
        all.reduce<Measures.Measures>(Measures.merge, Measures.empty)
      )
    ))

  it("survives its encoding", () =>
    check([rollup], (given) => assert.deepStrictEqual(decodeRollup(encodeRollup(given)), given)))

  it("reads what earlier versions wrote: without units, images and hits", () => {
    const tokens = [2, 0, 0, 0, 30, 4, 0, 0, 50, 0, 0, 0]
    const counts = { ...Measures.empty, requests: 2, inputTokens: 30, outputTokens: 4 }
    const cost = NanoUsd.make(50n)
    assert.deepStrictEqual(
      decodeRollup(JSON.stringify([1, ["a"], tokens])).values,
      new Map([["a", { ...counts, cost }]])
    )
    assert.deepStrictEqual(
      decodeRollup(JSON.stringify([1, ["a", "b"], [...tokens, ...tokens], [0, 0, 7, 1_500]]))
        .values,
      new Map([
        ["a", { ...counts, cost }],
        ["b", { ...counts, cost, characters: 7, audioMillis: 1_500 }]
      ])
    )
  })
})
