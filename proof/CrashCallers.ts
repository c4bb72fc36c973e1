/** Callers that ask for Decisions without a pause, and what each was told. */
import { setTimeout } from "node:timers/promises"
import type { Answer } from "./Answer.ts"
import { decide } from "./crashAsking.ts"
import { property } from "./property.ts"

export interface Told {
  readonly key: string
  /** Undefined: the connection was lost. */
  readonly answer: Answer | undefined
}

export class CrashCallers {
  readonly told: Array<Told> = []
  #isOver = false
  readonly #callers: Promise<unknown>

  /** So many for each of the keys. */
  constructor(origin: string, keys: ReadonlyArray<string>, each: number) {
    const all = keys.flatMap((key) => Array.from({ length: each }, () => this.#call(origin, key)))
    this.#callers = Promise.all(all)
  }

  async #call(origin: string, key: string): Promise<void> {
    while (!this.#isOver) {
      const answer = await decide(origin, key).catch(() => undefined)
      this.told.push({ key, answer })
      // Whoever is refused does not ask again at once.
      if (answer?.status !== 200) await setTimeout(20)
    }
  }

  /** Those with this status. */
  with(status: number): ReadonlyArray<Told> {
    return this.told.filter(({ answer }) => answer?.status === status)
  }

  /** Resolves when the last one was told. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#callers
  }
}

/** The ids of what was answered. */
export const idsOf = (told: ReadonlyArray<Told>): ReadonlyArray<string> =>
  told.flatMap(({ answer }) =>
    answer?.status === 200 ? [String(property(answer.body, "id"))] : []
  )
