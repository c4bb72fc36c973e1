/** Kills its own process, as `kill -9` does, at the moment it was told. */
import * as Effect from "effect/Effect"
import type { Moment } from "./Moment.ts"

export class Doom<Verb extends string> {
  #moment: Moment<Verb> | undefined
  #passed = 0

  /** The process dies at this moment, the next time it comes. */
  at(moment: Moment<Verb>): void {
    this.#moment = moment
    this.#passed = 0
  }

  /** The same verb, at which the process may die. */
  watch<Args extends ReadonlyArray<unknown>, A, E, R>(
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

  #pass(verb: Verb, when: Moment["when"], args: ReadonlyArray<unknown>, answer?: unknown): void {
    const moment = this.#moment
    if (moment === undefined) return
    const { since = [] } = moment
    const next = since[this.#passed]
    if (next !== undefined) {
      if (when === "after" && next.verb === verb && (next.is?.(args, answer) ?? true)) {
        this.#passed++
      }
      return
    }
    if (moment.verb === verb && moment.when === when && (moment.is?.(args, answer) ?? true)) {
      process.kill(process.pid, "SIGKILL")
    }
  }
}
