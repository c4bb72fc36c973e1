/** A spend limit with what was spent under it. */
import type * as Limit from "../../engine/ledger/Limit.ts"
import type * as NanoUsd from "../../values/usage/NanoUsd.ts"

/** The kinds of holders whose limits are listed. */
export const limitHolders = ["workspace", "key", "member"] as const
export type LimitHolder = (typeof limitHolders)[number]

/** A limit and its counters. */
export interface LimitUsage {
  readonly limit: Limit.Limit
  /** The name of the workspace, key or guardrail that sets it; null for credits. */
  readonly name: string | null
  readonly workspace: string | null
  readonly guardrail: string | null
  /** The key whose spending counts; null if the spending of others counts, too. */
  readonly key: { readonly hash: string; readonly name: string } | null
  /** The user whose spending counts. */
  readonly user: string | null
  readonly settled: NanoUsd.NanoUsd
  readonly reserved: NanoUsd.NanoUsd
}
