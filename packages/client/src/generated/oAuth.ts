/** OAuth: the operations of the group `oAuth`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface OAuthCreateCodeInput {
  readonly callback_url?: string
  readonly code_challenge: string
  readonly code_challenge_method?: string
  readonly expires_at?: string | null
  readonly key_label?: string
  readonly limit?: number
  readonly usage_limit_type?: "daily" | "weekly" | "monthly"
  readonly workspace_id?: string
}

export interface OAuthCreateCodeOutput {
  readonly data: {
    readonly id: string
    readonly app_id: number
    readonly created_at: string
  }
}

export interface OAuthExchangeCodeInput {
  readonly code: string
  readonly code_verifier?: string
  readonly code_challenge_method?: string | null
}

export interface OAuthExchangeCodeOutput {
  readonly key: string
  readonly user_id: string | null
}

/** OAuth. */
export const oAuth = (connection: Connection) => ({
  /** Create a code that an application exchanges for an API key of the caller, within ten minutes. */
  createCode: (
    input: OAuthCreateCodeInput,
    options?: CallOptions
  ): Promise<OAuthCreateCodeOutput> =>
    connection.call("POST /api/v1/auth/keys/code", input, options),
  /** Exchange a code for an API key, once. Needs no key. */
  exchangeCode: (
    input: OAuthExchangeCodeInput,
    options?: CallOptions
  ): Promise<OAuthExchangeCodeOutput> => connection.call("POST /api/v1/auth/keys", input, options)
})
