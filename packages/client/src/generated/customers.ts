/** Customers: the operations of the group `customers`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Customer {
  readonly slug: string
  readonly name: string
  readonly bundle: string
  readonly workspace_id: string
  readonly key_hash: string
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface CustomerUsage {
  readonly slug: string
  readonly name: string
  readonly bundle: string
  readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
  readonly from: string
  readonly to: string | null
  readonly spent: number | null
  readonly byok_spent: number | null
  readonly budgets: ReadonlyArray<{
    readonly interval: "daily" | "weekly" | "monthly" | "lifetime"
    readonly limit: number
    readonly soft: boolean
    readonly settled: number
    readonly reserved: number
    readonly remaining: number
    readonly resets_at: string | null
  }>
  readonly totals: {
    readonly requests: number
    readonly errors: number
    readonly byok_requests: number
    readonly unpriced_requests: number
    readonly tokens_prompt: number
    readonly tokens_completion: number
    readonly tokens_cached: number
    readonly tokens_reasoning: number
    readonly characters: number
    readonly audio_seconds: number
    readonly output_images: number
    readonly cost: number
    readonly upstream_inference_cost: number
    readonly response_cache_hits: number
    readonly response_cache_misses: number
    readonly response_cache_saved: number
  }
  readonly by_model: ReadonlyArray<{
    readonly model: string
    readonly requests: number
    readonly errors: number
    readonly byok_requests: number
    readonly unpriced_requests: number
    readonly tokens_prompt: number
    readonly tokens_completion: number
    readonly tokens_cached: number
    readonly tokens_reasoning: number
    readonly characters: number
    readonly audio_seconds: number
    readonly output_images: number
    readonly cost: number
    readonly upstream_inference_cost: number
    readonly response_cache_hits: number
    readonly response_cache_misses: number
    readonly response_cache_saved: number
  }>
  readonly by_user: ReadonlyArray<{
    readonly user: string
    readonly requests: number
    readonly errors: number
    readonly byok_requests: number
    readonly unpriced_requests: number
    readonly tokens_prompt: number
    readonly tokens_completion: number
    readonly tokens_cached: number
    readonly tokens_reasoning: number
    readonly characters: number
    readonly audio_seconds: number
    readonly output_images: number
    readonly cost: number
    readonly upstream_inference_cost: number
    readonly response_cache_hits: number
    readonly response_cache_misses: number
    readonly response_cache_saved: number
  }>
  readonly is_complete: boolean
}

export interface CustomersListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface CustomersListPage {
  readonly data: ReadonlyArray<Customer>
  readonly total_count: number
}

export interface CustomersCreateInput {
  readonly slug: string
  readonly bundle: string
  readonly name?: string
  readonly callback_url?: string
}

export type CustomersCreateOutput = {
  readonly data: Customer
  readonly created: boolean
  readonly key: string | null
  readonly webhook_secret: string | null
}

export interface CustomersGetInput {
  readonly slug: string
}

export interface CustomersGetOutput {
  readonly data: Customer
}

export interface CustomersUpdateInput {
  readonly slug: string
  readonly bundle?: string
  readonly name?: string
}

export interface CustomersUpdateOutput {
  readonly data: Customer
}

export interface CustomersSuspendInput {
  readonly slug: string
  readonly reason?: string | null
}

export interface CustomersSuspendOutput {
  readonly data: Customer
}

export interface CustomersResumeInput {
  readonly slug: string
}

export interface CustomersResumeOutput {
  readonly data: Customer
}

export interface CustomersUsageInput {
  readonly slug: string
  /** The length of the period. Default: `monthly`. */
  readonly interval?: "daily" | "weekly" | "monthly" | "lifetime"
  /** `current`: the running period, with the budgets. `previous`: the one before. Default: `current`. */
  readonly period?: "current" | "previous"
}

export interface CustomersUsageOutput {
  readonly data: CustomerUsage
}

export interface CustomersDeleteInput {
  readonly slug: string
}

export interface CustomersDeleteOutput {
  readonly deleted: true
}

/** Customers. */
export const customers = (connection: Connection) => ({
  /** List the customers of the account, oldest first. */
  list: (input?: CustomersListInput, options?: CallOptions): Paged<CustomersListPage, Customer> =>
    connection.list<Customer, CustomersListPage>("GET /api/v1/signalbox/customers", input, options),
  /** Create a customer with its workspace, key and webhook. Repeated requests return the same customer. */
  create: (input: CustomersCreateInput, options?: CallOptions): Promise<CustomersCreateOutput> =>
    connection.call("POST /api/v1/signalbox/customers", input, options),
  /** Get a customer by slug, or by the id of its workspace. */
  get: (input: CustomersGetInput, options?: CallOptions): Promise<CustomersGetOutput> =>
    connection.call("GET /api/v1/signalbox/customers/:slug", input, options),
  /** Move a customer to another bundle, or rename it. Omitted fields keep their values. */
  update: (input: CustomersUpdateInput, options?: CallOptions): Promise<CustomersUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/customers/:slug", input, options),
  /** Refuse the requests of a customer until it is resumed. */
  suspend: (input: CustomersSuspendInput, options?: CallOptions): Promise<CustomersSuspendOutput> =>
    connection.call("POST /api/v1/signalbox/customers/:slug/suspend", input, options),
  /** Answer the requests of a suspended customer again. */
  resume: (input: CustomersResumeInput, options?: CallOptions): Promise<CustomersResumeOutput> =>
    connection.call("POST /api/v1/signalbox/customers/:slug/resume", input, options),
  /** Get what a customer has used and spent in a period, by model and by user. */
  usage: (input: CustomersUsageInput, options?: CallOptions): Promise<CustomersUsageOutput> =>
    connection.call("GET /api/v1/signalbox/customers/:slug/usage", input, options),
  /** Delete a customer with its workspace and everything in it. */
  delete: (input: CustomersDeleteInput, options?: CallOptions): Promise<CustomersDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/customers/:slug", input, options)
})
