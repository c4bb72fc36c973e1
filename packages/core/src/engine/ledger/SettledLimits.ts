/** Remembers under which limits money was settled, so that alerts look at these and no others. */
import * as Context from "effect/Context"
import { constVoid } from "effect/Function"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Limit } from "./Limit.ts"

/** The limits since the last `take`; a limit is one object for many requests, so nothing is made for each of them. */
export class SettledLimits {
  /** Called with the first limit after a `take`, on the way of a request: it must return at once. */
  onFirst: () => void = constVoid
  #settled = new Map<Limit, AccountId>()
  #refused = new Set<Limit>()

  add(account: AccountId, limits: ReadonlyArray<Limit>): void {
    const isFirst = this.#settled.size === 0
    for (const limit of limits) this.#settled.set(limit, account)
    if (isFirst && limits.length > 0) this.onFirst()
  }

  /** Adds a limit that had no room for a request. */
  addRefusal(account: AccountId, limit: Limit): void {
    this.#refused.add(limit)
    this.add(account, [limit])
  }

  /** Whether there is anything to `take`. */
  get isEmpty(): boolean {
    return this.#settled.size === 0
  }

  /** Returns the limits and forgets them. */
  take(): ReadonlyArray<SettledLimit> {
    const settled = Array.from(this.#settled, ([limit, account]) => ({
      account,
      limit,
      hasRefused: this.#refused.has(limit)
    }))
    this.#settled = new Map()
    this.#refused = new Set()
    return settled
  }
}

/** A limit under which money was settled. */
export interface SettledLimit {
  readonly account: AccountId
  readonly limit: Limit
  /** Whether it refused a request. */
  readonly hasRefused: boolean
}

/** Undefined without the option `alerts`: then the ledger remembers nothing. */
export const CurrentSettledLimits: Context.Reference<SettledLimits | undefined> = Context.Reference<
  SettledLimits | undefined
>("@signalbox/core/engine/ledger/CurrentSettledLimits", { defaultValue: () => undefined })
