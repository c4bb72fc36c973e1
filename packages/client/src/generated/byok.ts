/** BYOK: the operations of the group `byok`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Byok {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly provider: string
  readonly workspace_id: string | null
  readonly allowed_api_key_hashes: ReadonlyArray<string> | null
  readonly allowed_models: ReadonlyArray<string> | null
  readonly allowed_user_ids: ReadonlyArray<string> | null
  readonly declared_zdr: boolean | null
  readonly disabled: boolean
  readonly is_byok_only: boolean
  readonly is_fallback: boolean
  readonly is_required: boolean
  readonly sort_order: number
  readonly created_at: string
}

export interface ByokState {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly label: string
  readonly disabled: boolean
  readonly sort_order: number
  readonly sealed_under: string
  readonly last_error: {
    readonly at: string
    readonly kind: string
    readonly status: number | null
  } | null
}

export interface ByokListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
  /** Slug of a provider. Default: all providers. */
  readonly provider?: string
}

export interface ByokListPage {
  readonly data: ReadonlyArray<Byok>
  readonly total_count: number
}

export interface ByokCreateInput {
  readonly provider: string
  readonly key: string
  readonly name?: string | null
  readonly workspace_id?: string
  readonly allowed_api_key_hashes?: ReadonlyArray<string> | null
  readonly allowed_models?: ReadonlyArray<string> | null
  readonly allowed_user_ids?: ReadonlyArray<string> | null
  readonly declared_zdr?: boolean | null
  readonly disabled?: boolean
  readonly is_byok_only?: boolean
  readonly is_fallback?: boolean
  readonly is_required?: boolean
}

export interface ByokCreateOutput {
  readonly data: Byok
}

export interface ByokGetInput {
  readonly id: string
}

export interface ByokGetOutput {
  readonly data: Byok
}

export interface ByokUpdateInput {
  readonly id: string
  readonly key?: string
  readonly name?: string | null
  readonly allowed_api_key_hashes?: ReadonlyArray<string> | null
  readonly allowed_models?: ReadonlyArray<string> | null
  readonly allowed_user_ids?: ReadonlyArray<string> | null
  readonly declared_zdr?: boolean | null
  readonly disabled?: boolean
  readonly is_byok_only?: boolean
  readonly is_fallback?: boolean
  readonly is_required?: boolean
}

export interface ByokUpdateOutput {
  readonly data: Byok
}

export interface ByokDeleteInput {
  readonly id: string
}

export interface ByokDeleteOutput {
  readonly deleted: true
}

export interface ByokListStatesInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: the account's default workspace. */
  readonly workspace_id?: string
  /** Slug of a provider. Default: all providers. */
  readonly provider?: string
}

export interface ByokListStatesPage {
  readonly data: ReadonlyArray<ByokState>
  readonly total_count: number
}

export interface ByokReorderInput {
  readonly ids: ReadonlyArray<string>
}

export interface ByokReorderOutput {
  readonly data: {
    readonly ids: ReadonlyArray<string>
  }
}

/** BYOK. */
export const byok = (connection: Connection) => ({
  /** List the credentials of a workspace, without their secrets. */
  list: (input?: ByokListInput, options?: CallOptions): Paged<ByokListPage, Byok> =>
    connection.list<Byok, ByokListPage>("GET /api/v1/byok", input, options),
  /** Create a credential. Its secret is stored encrypted. */
  create: (input: ByokCreateInput, options?: CallOptions): Promise<ByokCreateOutput> =>
    connection.call("POST /api/v1/byok", input, options),
  /** Get a credential by id, without its secret. */
  get: (input: ByokGetInput, options?: CallOptions): Promise<ByokGetOutput> =>
    connection.call("GET /api/v1/byok/:id", input, options),
  /** Update a credential. Omitted fields keep their values; `key` replaces the secret. */
  update: (input: ByokUpdateInput, options?: CallOptions): Promise<ByokUpdateOutput> =>
    connection.call("PATCH /api/v1/byok/:id", input, options),
  /** Delete a credential and its secret. */
  delete: (input: ByokDeleteInput, options?: CallOptions): Promise<ByokDeleteOutput> =>
    connection.call("DELETE /api/v1/byok/:id", input, options),
  /** List the sealing key and last rejection of each credential. */
  listStates: (
    input?: ByokListStatesInput,
    options?: CallOptions
  ): Paged<ByokListStatesPage, ByokState> =>
    connection.list<ByokState, ByokListStatesPage>("GET /api/v1/signalbox/byok", input, options),
  /** Reorder credentials. The listed ones come first among those of their provider. */
  reorder: (input: ByokReorderInput, options?: CallOptions): Promise<ByokReorderOutput> =>
    connection.call("PUT /api/v1/signalbox/byok/order", input, options)
})
