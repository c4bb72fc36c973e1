/** Providers: the operations of the group `providers`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Provider {
  readonly name: string
  readonly slug: string
  readonly privacy_policy_url: string | null
  readonly terms_of_service_url: string | null
  readonly status_page_url: string | null
  readonly headquarters: string | null
  readonly datacenters: ReadonlyArray<string> | null
}

export interface ProvidersListOutput {
  readonly data: ReadonlyArray<Provider>
}

/** Providers. */
export const providers = (connection: Connection) => ({
  /** List providers and their data policies. */
  list: (options?: CallOptions): Promise<ProvidersListOutput> =>
    connection.call("GET /api/v1/providers", undefined, options)
})
