/** Adds what an account, or one of its workspaces, may have only so many of. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** One more would be too many. */
export class QuotaExceeded extends Data.TaggedError("QuotaExceeded")<{
  /** What there are enough of, such as `API keys`. */
  readonly what: string
  readonly of: "account" | "workspace"
  readonly most: number
  /** The setting that says how many. */
  readonly setting: string
}> {}

/** How many of something an account and a workspace may keep. */
export interface Quota {
  readonly what: string
  readonly account: Readonly<Record<"most", number> & Record<"setting", string>>
  /** Absent: what is counted does not live in workspaces. */
  readonly workspace?: Readonly<Record<"most", number> & Record<"setting", string>>
}

/**
 * How many an account has, or one of its workspaces. Race: asked inside a transaction, it waits until every other
 * transaction of the account that asked has ended, so that what is added after it was counted by nobody.
 */
export type CountResources = (workspace?: string) => Effect.Effect<number>

/**
 * Runs `add` inside the transaction there is, and fails when there are too many then, which undoes it. Whoever holds
 * a workspace holds it before this.
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
