import type { Questions } from "@signalbox/core"
import type { DecisionCall } from "@signalbox/core/upstream"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { expect } from "vitest"
import { failEveryThird } from "../../src/demo/failEveryThird.ts"
import { wordOverlap } from "../../src/demo/wordOverlap.ts"

const call = (state: unknown, questions: Questions, model = "overlap-1"): DecisionCall => ({
  model,
  supportedParameters: new Set(),
  state,
  questions,
  contentBytes: JSON.stringify({ state, questions }).length,
  onUsage: () => {}
})

const angry: Questions = {
  angry: { type: "noul", instructions: "?", criteria: { true: "furious", false: "pleased" } }
}

it.layer(FetchHttpClient.layer)((it) => {
  it.effect("overlap-1 compares whole words, overlap-2 their first five letters", () =>
    Effect.gen(function* () {
      const exact = yield* wordOverlap.decide(call("I am furiously typing", angry, "overlap-1"))
      const stems = yield* wordOverlap.decide(call("I am furiously typing", angry, "overlap-2"))
      expect(exact.verdicts.get("angry")?.weights).toEqual([1, 1])
      expect(stems.verdicts.get("angry")?.weights).toEqual([1, Math.exp(-1)])
    })
  )

  it.effect("a bare yes/no question speaks for yes with its own words", () =>
    Effect.gen(function* () {
      const bare: Questions = { refund: { type: "noul", instructions: "Is a refund due?" } }
      const { verdicts } = yield* wordOverlap.decide(call("A refund, please", bare))
      expect(verdicts.get("refund")?.weights).toEqual([1, Math.exp(-1)])
    })
  )

  it.effect("a label counts like its guidance; levels are compared in their order", () =>
    Effect.gen(function* () {
      const { usage, verdicts } = yield* wordOverlap.decide(
        call("billing is urgent", {
          team: { type: "choice", instructions: "?", criteria: { sales: null, billing: null } },
          speed: { type: "score", instructions: "?", criteria: ["later", "soon", "urgent"] }
        })
      )
      expect(verdicts.get("team")?.weights).toEqual([Math.exp(-1), 1])
      expect(verdicts.get("speed")?.weights).toEqual([Math.exp(-1), Math.exp(-1), 1])
      expect(usage.outputTokens).toBe(5)
    })
  )

  it.effect("a model it does not have is not served", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(wordOverlap.decide(call("", angry, "overlap-3")))
      expect(failure.kind).toBe("not_served")
    })
  )

  it.effect("never uses more than its worst case", () =>
    Effect.gen(function* () {
      const asked = call({ text: "x" }, angry)
      const { usage } = yield* wordOverlap.decide(asked)
      const worst = wordOverlap.estimateWorstCase(asked)
      expect(usage.inputTokens).toBeLessThanOrEqual(worst.inputTokens)
      expect(usage.outputTokens).toBeLessThanOrEqual(worst.outputTokens)
    })
  )

  it.effect("the failing one fails the third, the sixth, the ninth call as overloaded", () =>
    Effect.gen(function* () {
      const failing = failEveryThird(wordOverlap)
      const outcomes: Array<string> = []
      for (let n = 1; n <= 9; n++) {
        outcomes.push(
          yield* Effect.match(failing.decide(call("", angry)), {
            onSuccess: () => "answered",
            onFailure: ({ kind }) => kind
          })
        )
      }
      const round = ["answered", "answered", "overloaded"]
      expect(outcomes).toEqual([...round, ...round, ...round])
    })
  )
})
