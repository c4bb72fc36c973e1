/** Kills its own process, as `kill -9` does, at a given crash point. */
import * as Effect from "effect/Effect"
import type { CrashPoint } from "./CrashPoint.ts"

export class CrashTrigger<Verb extends string> {
  #crashPoint: CrashPoint<Verb> | undefined
  #passed = 0

  /** The process dies the next time it reaches this point. */
  arm(crashPoint: CrashPoint<Verb>): void {
    this.#crashPoint = crashPoint
    this.#passed = 0
  }

  /** Instruments a method so that the process can die at its calls. */
  wrap<Args extends ReadonlyArray<unknown>, A, E, R>(
    verb: Verb,
    call: (...args: Args) => Effect.Effect<A, E, R>
  ): (...args: Args) => Effect.Effect<A, E, R> {
    return (...args) =>
      Effect.suspend(() => {
        this.#pass(verb, "before", args)
        return Effect.tap(call(...args), (answer) =>
          Effect.sync(() => this.#pass(verb, "after", args, answer))
        )
      })
  }

  #pass(
    verb: Verb,
    when: CrashPoint["when"],
    args: ReadonlyArray<unknown>,
    answer?: unknown
  ): void {
    const crashPoint = this.#crashPoint
    if (crashPoint === undefined) return
    const { precededBy = [] } = crashPoint
    const next = precededBy[this.#passed]
    if (next !== undefined) {
      if (when === "after" && next.verb === verb && (next.matches?.(args, answer) ?? true)) {
        this.#passed++
      }
      return
    }
    if (
      crashPoint.verb === verb &&
      crashPoint.when === when &&
      (crashPoint.matches?.(args, answer) ?? true)
    ) {
      process.kill(process.pid, "SIGKILL")
    }
  }
}
