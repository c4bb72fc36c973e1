import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { makePendingRuns } from "../../src/values/PendingRuns.ts"

it("a run that ended twice took those that began before it out of what a close interrupts", async () => {
  const scope = Scope.makeUnsafe()
  const runs = await Effect.runPromise(makePendingRuns(scope))
  const ends: Array<string> = []
  const first = runs.add(Context.empty(), () => ends.push("first"))
  const second = runs.add(Context.empty(), () => ends.push("second"))
  second.go(Exit.void)
  second.go(Exit.void)
  expect(ends).toEqual(["second"])
  const closing = Effect.runPromise(Scope.close(scope, Exit.void))
  expect(first.interruption).toBeDefined()
  first.go(Exit.void)
  await closing
  expect(ends).toEqual(["second", "first"])
})
