/** Callers that request Decisions continuously, and the responses they received. */
import { setTimeout } from "node:timers/promises"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { decide } from "./crashRequests.ts"
import { getProperty } from "../support/getProperty.ts"

export interface CallResult {
  readonly key: string
  /** Undefined when the connection was lost. */
  readonly response: HttpResponse | undefined
}

export class CrashLoad {
  readonly results: Array<CallResult> = []
  #isOver = false
  readonly #callers: Promise<unknown>

  /** Starts `each` callers per key; every call asks for the origin of a process. */
  constructor(pickOrigin: () => string, keys: ReadonlyArray<string>, each: number) {
    const all = keys.flatMap((key) =>
      Array.from({ length: each }, () => this.#call(pickOrigin, key))
    )
    this.#callers = Promise.all(all)
  }

  async #call(pickOrigin: () => string, key: string): Promise<void> {
    while (!this.#isOver) {
      const response = await decide(pickOrigin(), key).catch(() => undefined)
      this.results.push({ key, response })
      // A rejected caller waits before it retries.
      if (response?.status !== 200) await setTimeout(20)
    }
  }

  /** The results with this status. */
  with(status: number): ReadonlyArray<CallResult> {
    return this.results.filter(({ response }) => response?.status === status)
  }

  /** Resolves when every caller has received its last response. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#callers
  }
}

/** The ids of the successful responses. */
export const toGenerationIds = (received: ReadonlyArray<CallResult>): ReadonlyArray<string> =>
  received.flatMap(({ response }) =>
    response?.status === 200 ? [String(getProperty(response.body, "id"))] : []
  )
