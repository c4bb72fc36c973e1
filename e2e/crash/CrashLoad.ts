/** Callers that ask for Decisions without a pause, and what each was told. */
import { setTimeout } from "node:timers/promises"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { decide } from "./crashRequests.ts"
import { getProperty } from "../support/getProperty.ts"

export interface CallResult {
  readonly key: string
  /** Undefined: the connection was lost. */
  readonly response: HttpResponse | undefined
}

export class CrashLoad {
  readonly results: Array<CallResult> = []
  #isOver = false
  readonly #callers: Promise<unknown>

  /** So many for each of the keys. */
  constructor(origin: string, keys: ReadonlyArray<string>, each: number) {
    const all = keys.flatMap((key) => Array.from({ length: each }, () => this.#call(origin, key)))
    this.#callers = Promise.all(all)
  }

  async #call(origin: string, key: string): Promise<void> {
    while (!this.#isOver) {
      const response = await decide(origin, key).catch(() => undefined)
      this.results.push({ key, response })
      // A rejected caller waits before it retries.
      if (response?.status !== 200) await setTimeout(20)
    }
  }

  /** Those with this status. */
  with(status: number): ReadonlyArray<CallResult> {
    return this.results.filter(({ response }) => response?.status === status)
  }

  /** Resolves when the last one was told. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#callers
  }
}

/** The ids of what was answered. */
export const toGenerationIds = (received: ReadonlyArray<CallResult>): ReadonlyArray<string> =>
  received.flatMap(({ response }) =>
    response?.status === 200 ? [String(getProperty(response.body, "id"))] : []
  )
