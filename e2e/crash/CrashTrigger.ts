/** Kills its own process, as `kill -9` does, at the moment it was told. */
import * as Effect from "effect/Effect"
import type { CrashPoint } from "./CrashPoint.ts"

export class CrashTrigger<Verb extends string> {
  #moment: CrashPoint<Verb> | undefined
  #passed = 0

  /** The process dies at this moment, the next time it comes. */
  arm(moment: CrashPoint<Verb>): void {
    this.#moment = moment
    this.#passed = 0
  }

  /** The same verb, at which the process may die. */
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
    const moment = this.#moment
    if (moment === undefined) return
    const { precededBy = [] } = moment
    const next = precededBy[this.#passed]
    if (next !== undefined) {
      if (when === "after" && next.verb === verb && (next.matches?.(args, answer) ?? true)) {
        this.#passed++
      }
      return
    }
    if (moment.verb === verb && moment.when === when && (moment.matches?.(args, answer) ?? true)) {
      process.kill(process.pid, "SIGKILL")
    }
  }
}
