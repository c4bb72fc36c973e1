/** A spend limit with what was spent under it. */
import type * as Limit from "../../engine/ledger/Limit.ts"
import type { ScopedBudget } from "../../tenants/workspaces/ScopedBudget.ts"
import type * as NanoUsd from "../../values/usage/NanoUsd.ts"

/** The kinds of holders whose limits are listed. */
export const limitHolders = ["workspace", "key", "member"] as const
export type LimitHolder = (typeof limitHolders)[number]

/** A limit and its counters. */
export interface LimitUsage {
  readonly limit: Limit.Limit
  /** The name of the workspace, key, guardrail or budget that sets it; null for credits. */
  readonly name: string | null
  readonly workspace: string | null
  readonly guardrail: string | null
  /** The budget that sets it; null: another limit. */
  readonly budget: ScopedBudget | null
  /** When its window began, in milliseconds since the epoch; -Infinity for a lifetime. */
  readonly beganAt: number
  /** The key whose spending counts; null if the spending of others counts, too. */
  readonly key: { readonly hash: string; readonly name: string } | null
  /** The user whose spending counts. */
  readonly user: string | null
  readonly settled: NanoUsd.NanoUsd
  readonly reserved: NanoUsd.NanoUsd
}
