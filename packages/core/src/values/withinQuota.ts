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
export type Count = (workspace?: string) => Effect.Effect<number>

/**
 * Runs `add` inside the transaction there is, and fails when there are too many then, which undoes it. Whoever holds
 * a workspace holds it before this.
 */
export const withinQuota = Effect.fnUntraced(function* <A, E, R>(
  { account, what, workspace }: Quota,
  count: Count,
  add: Effect.Effect<A, E, R>,
  { added = one, within }: { readonly added?: (result: A) => number; readonly within?: string } = {}
): Effect.fn.Return<A, E | QuotaExceeded, R> {
  const inAccount = yield* count()
  const inWorkspace = within === undefined ? 0 : yield* count(within)
  const result = yield* add
  const more = added(result)
  if (more > 0 && inAccount + more > account.most) {
    return yield* new QuotaExceeded({ what, of: "account", ...account })
  }
  if (more > 0 && workspace !== undefined && inWorkspace + more > workspace.most) {
    return yield* new QuotaExceeded({ what, of: "workspace", ...workspace })
  }
  return result
})

const one = (): number => 1
