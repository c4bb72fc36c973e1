import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { fromCallback, isPending, PendingRun } from "../../src/values/Pending.ts"
import * as Step from "../../src/values/Step.ts"

type Chain = Effect.Effect<number, string>
type Result = Exit.Exit<number, string>

/** How the first step, and each step that follows, has its result. */
const ways = ["now", "callback", "callback at once", "fiber"] as const
type Way = (typeof ways)[number]

interface Ended {
  readonly way: Way
  readonly exit: Result
}

interface Operator {
  readonly name: "map" | "mapError" | "flatMap" | "catch" | "matchCause" | "onExit" | "provide"
  readonly next: Ended
  readonly isThrown: boolean
}

const waiting = new Set<() => void>()

/** Resumes what waits, one after another, also what begins to wait in the meantime. */
const resumeAll = (): void => {
  for (const resume of waiting) {
    waiting.delete(resume)
    resume()
  }
}

const begin = ({ exit, way }: Ended): Chain => {
  if (way === "now") return exit
  if (way === "fiber") return Effect.andThen(Effect.yieldNow, exit)
  return fromCallback<number, string>((resume) => {
    if (way === "callback at once") resume(exit)
    const later = () => resume(exit)
    waiting.add(later)
    return () => waiting.delete(later)
  })
}

class Name extends Context.Service<Name, string>()("Name") {}

const throwIf = (isThrown: boolean): void => {
  if (isThrown) throw new Error("thrown")
}

/** `apply` of the steps under test, and of the operators of Effect that they stand for. */
const applyStep = (self: Chain, { isThrown, name, next }: Operator): Chain => {
  const goOn = () => {
    throwIf(isThrown)
    return begin(next)
  }
  switch (name) {
    case "map":
      return Step.map(self, (value) => (throwIf(isThrown), value + 1))
    case "mapError":
      return Step.mapError(self, (error) => `${error}!`)
    case "flatMap":
      return Step.flatMap(self, goOn)
    case "catch":
      return Step.catchError(self, goOn)
    case "matchCause":
      return Step.matchCause(self, { onSuccess: goOn, onFailure: goOn })
    case "onExit":
      return Step.onExit(self, () => Step.map(goOn(), () => undefined).pipe(Effect.ignore))
    case "provide":
      return Step.provideService(self, Name, "ada")
  }
}

const applyEffect = (self: Chain, { isThrown, name, next }: Operator): Chain => {
  const goOn = () => {
    throwIf(isThrown)
    return begin(next)
  }
  switch (name) {
    case "map":
      return Effect.map(self, (value) => (throwIf(isThrown), value + 1))
    case "mapError":
      return Effect.mapError(self, (error) => `${error}!`)
    case "flatMap":
      return Effect.flatMap(self, goOn)
    case "catch":
      return self.pipe(Effect.catch(goOn))
    case "matchCause":
      return Effect.matchCauseEffect(self, { onSuccess: goOn, onFailure: goOn })
    case "onExit":
      return Effect.onExit(self, () => Effect.ignore(goOn()))
    case "provide":
      return Effect.provideService(self, Name, "ada")
  }
}

const arbitraryExit: fc.Arbitrary<Result> = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((value): Result => Exit.succeed(value)),
  fc.constantFrom("no", "never").map((error): Result => Exit.fail(error)),
  fc.constant<Result>(Exit.die("a defect"))
)
const arbitraryEnded = fc.record({ way: fc.constantFrom(...ways), exit: arbitraryExit })
const arbitraryOperators = fc.array(
  fc.record<Operator>({
    name: fc.constantFrom("map", "mapError", "flatMap", "catch", "matchCause", "onExit", "provide"),
    next: arbitraryEnded,
    isThrown: fc.boolean()
  }),
  { maxLength: 6 }
)

const build = (first: Ended, operators: ReadonlyArray<Operator>, apply: typeof applyStep): Chain =>
  Effect.suspend(() => operators.reduce(apply, begin(first)))

const describeExit = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isSuccess(exit)
    ? `success ${String(exit.value)}`
    : exit.cause.reasons
        .map((reason) =>
          Cause.isFailReason(reason)
            ? `fail ${String(reason.error)}`
            : Cause.isDieReason(reason)
              ? "die"
              : "interrupt"
        )
        .toSorted()
        .join()

const runAll = Effect.fnUntraced(function* (chain: Chain) {
  const fiber = yield* Effect.forkChild(chain, { startImmediately: true })
  while (fiber.pollUnsafe() === undefined) {
    resumeAll()
    yield* Effect.yieldNow
  }
  return describeExit(yield* Fiber.await(fiber))
})

/** Runs without a fiber of its own. */
const runByCallback = Effect.fnUntraced(function* (chain: () => Chain) {
  const ended: Array<Exit.Exit<unknown, unknown>> = []
  const run = new PendingRun(Context.empty(), (exit) => ended.push(exit))
  run.enter(() => {
    let step: Chain
    try {
      step = chain()
    } catch (defect) {
      step = Exit.die(defect)
    }
    run.go(step)
  })
  while (ended.length === 0) {
    resumeAll()
    yield* Effect.yieldNow
  }
  assert.lengthOf(ended, 1)
  return describeExit(ended[0]!)
})

describe("a chain of steps", () => {
  it.effect(
    "ends alike at once, by callbacks and in a fiber, and like the operators of Effect",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(arbitraryEnded, arbitraryOperators, async (first, operators) => {
            const steps = () => operators.reduce(applyStep, begin(first))
            const expected = await Effect.runPromise(runAll(build(first, operators, applyEffect)))
            assert.strictEqual(
              await Effect.runPromise(runAll(Effect.suspend(steps))),
              expected,
              "in a fiber"
            )
            assert.strictEqual(
              await Effect.runPromise(runByCallback(steps)),
              expected,
              "by callbacks"
            )
          }),
          { numRuns: 500 }
        )
      )
  )

  it.effect("runs every finalizer once when it is interrupted, and no step after that", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arbitraryOperators, fc.nat({ max: 5 }), async (operators, turns) => {
          const names: Array<string> = []
          const chain = operators.reduce(
            (self, operator, index) =>
              applyStep(
                Step.onExit(self, () => Effect.sync(() => names.push(`finalizer ${index}`))),
                operator
              ),
            begin({ way: "callback", exit: Exit.succeed(1) })
          )
          if (!isPending(chain)) return
          const exits: Array<unknown> = []
          const run = new PendingRun(Context.empty(), (exit) => exits.push(exit))
          run.go(chain)
          for (let turn = 0; turn < turns; turn++) {
            const [next] = waiting
            if (next === undefined) break
            waiting.delete(next)
            next()
          }
          const before = names.length
          run.interrupt()
          while (exits.length === 0) {
            resumeAll()
            await new Promise<void>((resolve) => setImmediate(resolve))
          }
          waiting.clear()
          assert.lengthOf(exits, 1)
          assert.isAtLeast(names.length, before)
          assert.strictEqual(new Set(names).size, names.length)
        }),
        { numRuns: 300 }
      )
    )
  )
})
