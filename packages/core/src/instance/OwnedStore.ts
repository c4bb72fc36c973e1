/** What stores do with rows of accounts. */
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/Ids.ts"
import type { OffsetPage, OffsetRequest } from "../values/pages/OffsetPage.ts"

/** Finds and changes rows of accounts. Race: concurrent changes of a row are applied one after the other. */
export interface OwnedRows<Row, Id = string> {
  readonly find: (account: AccountId, id: Id) => Effect.Effect<Row | undefined>
  /** See `CountResources`. */
  readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
  /**
   * Returns the changed row; undefined when it does not exist. When `change` throws, the effect dies and nothing
   * changes.
   */
  readonly update: (
    account: AccountId,
    id: Id,
    change: (row: Row) => Row
  ) => Effect.Effect<Row | undefined>
  /** Returns the removed row. Race: of concurrent removals, one returns it; no change restores it. */
  readonly remove: (account: AccountId, id: Id) => Effect.Effect<Row | undefined>
}

/** Stores resources that belong to workspaces of accounts. */
export interface OwnedStore<Row> extends OwnedRows<Row> {
  /** Those of a workspace, oldest first. */
  readonly list: (
    account: AccountId,
    workspace: string,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<Row>>
  /** Adds it and returns true, unless one with its id exists. Race: of concurrent calls, one adds it. */
  readonly insert: (account: AccountId, row: Row) => Effect.Effect<boolean>
}

/** A resource that belongs to a workspace of an account. */
export interface OwnedResourceRow {
  readonly id: string
  readonly workspace_id: string
}
