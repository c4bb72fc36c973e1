/** Credits: the operations of the group `credits`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface CreditsGetOutput {
  readonly data: {
    readonly total_credits: number
    readonly total_usage: number
  }
}

/** Credits. */
export const credits = (connection: Connection) => ({
  /** Get the credits of the account. */
  get: (options?: CallOptions): Promise<CreditsGetOutput> =>
    connection.call("GET /api/v1/credits", undefined, options)
})
