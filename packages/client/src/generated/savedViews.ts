/** Saved views: the operations of the group `savedViews`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface SavedView {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
  readonly sort: "latency" | "cost" | "tokens" | null
  readonly created_at: string
  readonly updated_at: string
}

export interface SavedViewsListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
}

export interface SavedViewsListPage {
  readonly data: ReadonlyArray<SavedView>
  readonly total_count: number
}

export interface SavedViewsCreateInput {
  readonly name: string
  readonly filters?: Readonly<Record<string, string>>
  readonly sort?: "latency" | "cost" | "tokens" | null
  readonly workspace_id?: string
}

export interface SavedViewsCreateOutput {
  readonly data: SavedView
}

export interface SavedViewsGetInput {
  readonly id: string
}

export interface SavedViewsGetOutput {
  readonly data: SavedView
}

export interface SavedViewsUpdateInput {
  readonly id: string
  readonly name?: string
  readonly filters?: Readonly<Record<string, string>>
  readonly sort?: "latency" | "cost" | "tokens" | null
}

export interface SavedViewsUpdateOutput {
  readonly data: SavedView
}

export interface SavedViewsDeleteInput {
  readonly id: string
}

export interface SavedViewsDeleteOutput {
  readonly deleted: true
}

/** Saved views. */
export const savedViews = (connection: Connection) => ({
  /** List the saved views of a workspace. */
  list: (
    input?: SavedViewsListInput,
    options?: CallOptions
  ): Paged<SavedViewsListPage, SavedView> =>
    connection.list<SavedView, SavedViewsListPage>(
      "GET /api/v1/signalbox/saved-views",
      input,
      options
    ),
  /** Save filters and an order of generations under a name, for the operators of a workspace. */
  create: (input: SavedViewsCreateInput, options?: CallOptions): Promise<SavedViewsCreateOutput> =>
    connection.call("POST /api/v1/signalbox/saved-views", input, options),
  /** Get a saved view by id. */
  get: (input: SavedViewsGetInput, options?: CallOptions): Promise<SavedViewsGetOutput> =>
    connection.call("GET /api/v1/signalbox/saved-views/:id", input, options),
  /** Update a saved view. Omitted fields keep their values. */
  update: (input: SavedViewsUpdateInput, options?: CallOptions): Promise<SavedViewsUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/saved-views/:id", input, options),
  /** Delete a saved view. */
  delete: (input: SavedViewsDeleteInput, options?: CallOptions): Promise<SavedViewsDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/saved-views/:id", input, options)
})
