/** Enforces quotas of accounts, workspaces and presets. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The quota is exhausted. */
export class QuotaExceeded extends Data.TaggedError("QuotaExceeded")<{
  /** The counted resources, for example `API keys`. */
  readonly what: string
  readonly of: "account" | "preset" | "workspace"
  readonly most: number
  /** The setting of the limit. */
  readonly setting: string
}> {}

/** The limits of an account and of a workspace for one resource. */
export interface Quota {
  readonly what: string
  readonly account: Readonly<Record<"most", number> & Record<"setting", string>>
  /** Absent: the resource does not belong to workspaces. */
  readonly workspace?: Readonly<Record<"most", number> & Record<"setting", string>>
}

/**
 * Counts the resources of an account or of one of its workspaces. Race: inside a transaction it locks the count, and
 * waits for other transactions of the account that counted, so that concurrent adds cannot exceed a quota.
 */
export type CountResources = (workspace?: string) => Effect.Effect<number>

/**
 * Runs `add` and fails when the quota is exceeded, which rolls back the surrounding transaction. To avoid deadlocks,
 * lock workspaces before calling it.
 */
export const enforceQuota = Effect.fnUntraced(function* <A, E, R>(
  { account, what, workspace }: Quota,
  count: CountResources,
  add: Effect.Effect<A, E, R>,
  { added = one, within }: { readonly added?: (result: A) => number; readonly within?: string } = {}
): Effect.fn.Return<A, E | QuotaExceeded, R> {
  const inAccount = yield* count()
  const inWorkspace = within === undefined ? 0 : yield* count(within)
  const result = yield* add
  const addedCount = added(result)
  if (addedCount > 0 && inAccount + addedCount > account.most) {
    return yield* new QuotaExceeded({ what, of: "account", ...account })
  }
  if (addedCount > 0 && workspace !== undefined && inWorkspace + addedCount > workspace.most) {
    return yield* new QuotaExceeded({ what, of: "workspace", ...workspace })
  }
  return result
})

const one = (): number => 1
