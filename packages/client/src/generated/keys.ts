/** API keys: the operations of the group `keys`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Key {
  readonly hash: string
  readonly name: string
  readonly label: string
  readonly workspace_id: string
  readonly disabled: boolean
  readonly limit: number | null
  readonly limit_remaining: number | null
  readonly limit_reset: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_limit: boolean
  readonly soft_limit?: boolean
  readonly usage: number
  readonly usage_daily: number
  readonly usage_weekly: number
  readonly usage_monthly: number
  readonly byok_usage: number
  readonly byok_usage_daily: number
  readonly byok_usage_weekly: number
  readonly byok_usage_monthly: number
  readonly created_at: string
  readonly updated_at: string | null
  readonly expires_at: string | null
  readonly creator_user_id: string | null
  readonly external_user: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly rate_limit: {
    readonly requests: number
    readonly windowMillis: number
  } | null
  readonly token_rate_limit: {
    readonly tokens: number
    readonly windowMillis: number
  } | null
  readonly max_parallel_requests: number | null
}

export interface CurrentKey {
  readonly label: string
  readonly limit: number | null
  readonly limit_remaining: number | null
  readonly limit_reset: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_limit: boolean
  readonly soft_limit?: boolean
  readonly usage: number
  readonly usage_daily: number
  readonly usage_weekly: number
  readonly usage_monthly: number
  readonly byok_usage: number
  readonly byok_usage_daily: number
  readonly byok_usage_weekly: number
  readonly byok_usage_monthly: number
  readonly expires_at: string | null
  readonly workspace_id: string | null
  readonly organization_id: string | null
  readonly creator_user_id: string | null
  readonly is_management_key: boolean
  readonly is_provisioning_key: boolean
  readonly is_free_tier: false
  readonly free_model_daily_requests: {
    readonly limit: number
    readonly remaining: number
    readonly used: number
  }
  readonly allowed_data_regions: ReadonlyArray<string>
  readonly rate_limit: {
    readonly requests: number
    readonly interval: string
    readonly note: string
  }
}

export interface KeysListInput {
  /** Whether to include disabled keys. Default: false. */
  readonly include_disabled?: boolean
  /** Id or slug of a workspace. Default: all workspaces. */
  readonly workspace_id?: string
  /** Which are listed first. Default: `oldest`. */
  readonly sort?: "oldest" | "newest"
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface KeysListPage {
  readonly data: ReadonlyArray<Key>
  readonly total_count: number
}

export interface KeysCreateInput {
  readonly name: string
  readonly limit?: number | null
  readonly limit_reset?: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_limit?: boolean
  readonly soft_limit?: boolean
  readonly expires_at?: string | null
  readonly workspace_id?: string
  readonly creator_user_id?: string | null
  readonly tags?: Readonly<Record<string, string>>
  readonly external?: {
    readonly user: string
    readonly api_key?: string
  }
}

export interface KeysCreateOutput {
  readonly data: Key
  readonly key: string
}

export interface KeysGetInput {
  readonly hash: string
}

export interface KeysGetOutput {
  readonly data: Key
}

export interface KeysUpdateInput {
  readonly hash: string
  readonly name?: string
  readonly limit?: number | null
  readonly limit_reset?: "daily" | "weekly" | "monthly" | null
  readonly include_byok_in_limit?: boolean
  readonly soft_limit?: boolean
  readonly disabled?: boolean
}

export interface KeysUpdateOutput {
  readonly data: Key
}

export interface KeysDeleteInput {
  readonly hash: string
}

export interface KeysDeleteOutput {
  readonly deleted: true
}

export interface KeysGetCurrentOutput {
  readonly data: CurrentKey
}

export interface KeysRotateInput {
  readonly hash: string
  readonly grace_seconds?: number
}

export interface KeysRotateOutput {
  readonly data: Key
  readonly key: string
}

export interface KeysSetRateLimitInput {
  readonly hash: string
  readonly rate_limit?: {
    readonly requests: number
    readonly windowMillis: number
  } | null
  readonly token_rate_limit?: {
    readonly tokens: number
    readonly windowMillis: number
  } | null
  readonly max_parallel_requests?: number | null
}

export interface KeysSetRateLimitOutput {
  readonly data: Key
}

/** API keys. */
export const keys = (connection: Connection) => ({
  /** List the API keys of the account. */
  list: (input?: KeysListInput, options?: CallOptions): Paged<KeysListPage, Key> =>
    connection.list<Key, KeysListPage>("GET /api/v1/keys", input, options),
  /** Create an API key. The secret is returned once. */
  create: (input: KeysCreateInput, options?: CallOptions): Promise<KeysCreateOutput> =>
    connection.call("POST /api/v1/keys", input, options),
  /** Get an API key by hash. */
  get: (input: KeysGetInput, options?: CallOptions): Promise<KeysGetOutput> =>
    connection.call("GET /api/v1/keys/:hash", input, options),
  /** Update an API key. Omitted fields keep their values. */
  update: (input: KeysUpdateInput, options?: CallOptions): Promise<KeysUpdateOutput> =>
    connection.call("PATCH /api/v1/keys/:hash", input, options),
  /** Delete an API key. Requests with it fail from then on. */
  delete: (input: KeysDeleteInput, options?: CallOptions): Promise<KeysDeleteOutput> =>
    connection.call("DELETE /api/v1/keys/:hash", input, options),
  /** Get the API key that authenticates the request. */
  getCurrent: (options?: CallOptions): Promise<KeysGetCurrentOutput> =>
    connection.call("GET /api/v1/key", undefined, options),
  /** Rotate the secret of an API key. The new secret is returned once. */
  rotate: (input: KeysRotateInput, options?: CallOptions): Promise<KeysRotateOutput> =>
    connection.call("POST /api/v1/signalbox/keys/:hash/rotate", input, options),
  /** Set or remove the limits of requests, tokens and parallel requests of an API key. Omitted fields keep their values; null removes a limit. */
  setRateLimit: (
    input: KeysSetRateLimitInput,
    options?: CallOptions
  ): Promise<KeysSetRateLimitOutput> =>
    connection.call("PUT /api/v1/signalbox/keys/:hash/rate-limit", input, options)
})
