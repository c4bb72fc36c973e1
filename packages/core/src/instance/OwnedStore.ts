/** What a store does with resources that belong to workspaces of accounts. */
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/Ids.ts"
import type { OffsetPage, OffsetRequest } from "../values/pages/OffsetPage.ts"

/** Stores resources that belong to workspaces of accounts. */
export interface OwnedStore<Row> {
  readonly find: (account: AccountId, id: string) => Effect.Effect<Row | undefined>
  /** Those of a workspace, oldest first. */
  readonly list: (
    account: AccountId,
    workspace: string,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<Row>>
  /** See `CountResources`. */
  readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
  /** Adds it and returns true, unless one with its id exists. Race: of concurrent calls, one adds it. */
  readonly insert: (account: AccountId, row: Row) => Effect.Effect<boolean>
  /**
   * Returns the changed one; undefined when it does not exist. Race: no concurrent change is lost. When `change` throws,
   * the effect dies and nothing changes.
   */
  readonly update: (
    account: AccountId,
    id: string,
    change: (row: Row) => Row
  ) => Effect.Effect<Row | undefined>
  /** Returns the removed one. Race: of concurrent removals, one returns it. */
  readonly remove: (account: AccountId, id: string) => Effect.Effect<Row | undefined>
}

/** A resource that belongs to a workspace of an account. */
export interface OwnedResourceRow {
  readonly id: string
  readonly workspace_id: string
}
