import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { isExit } from "../../src/values/eager.ts"
import { fromCallback, PendingRun } from "../../src/values/Pending.ts"
import * as Step from "../../src/values/Step.ts"

const results = [
  ["now", Effect.succeed(1)],
  ["later", Effect.andThen(Effect.yieldNow, Effect.succeed(1))],
  ["failed now", Effect.fail("why")],
  ["failed later", Effect.andThen(Effect.yieldNow, Effect.fail("why"))]
] as const
const finalizers = [
  ["now", () => Effect.void],
  ["later", () => Effect.yieldNow],
  ["a defect now", () => Effect.die("defect")],
  [
    "a thrown defect",
    () => {
      throw "defect"
    }
  ]
] as const

describe("Step.onExit", () => {
  for (const [when, effect] of results) {
    for (const [how, finalize] of finalizers) {
      it.effect(`ends like Effect.onExit: ${when}, finalizer ${how}`, () =>
        Effect.gen(function* () {
          const seen: Array<unknown> = []
          const observe = (exit: Exit.Exit<number, string>) => {
            seen.push(exit)
            return finalize()
          }
          const eager = yield* Effect.exit(Effect.suspend(() => Step.onExit(effect, observe)))
          const lazy = yield* Effect.exit(Effect.onExit(effect, observe))
          assert.deepStrictEqual(eager, lazy)
          assert.lengthOf(seen, 2)
          assert.deepStrictEqual(seen[0], seen[1])
        })
      )
    }
  }

  it("needs no fiber for what is done", () => {
    const done = Step.onExit(Effect.succeed(1), () => Effect.void)
    assert.isTrue(isExit(done) && Exit.isSuccess(done))
  })
})

describe("a step that waits", () => {
  const broken = fromCallback(() => {
    throw new Error("cannot be sent")
  })

  it("dies of what begins it throws, and the steps that follow hear of it", () => {
    const seen: Array<string> = []
    const run = new PendingRun(Context.empty(), (exit) => {
      seen.push(exit._tag)
    })
    run.go(
      Step.onExit(broken, (exit) => {
        seen.push(`finalizer ${exit._tag}`)
        return Effect.void
      })
    )
    assert.deepStrictEqual(seen, ["finalizer Failure", "Failure"])
  })

  it.effect("dies of it in a fiber, too", () =>
    Effect.map(Effect.exit(broken), (exit) => {
      assert.isTrue(Exit.hasDies(exit))
    })
  )
})
