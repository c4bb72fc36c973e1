/** Account: the operations of the group `account`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Account {
  readonly only: ReadonlyArray<string> | null
  readonly ignore: ReadonlyArray<string> | null
  readonly zdr: boolean | null
  readonly data_collection: "allow" | "deny" | null
}

export interface AccountGetOutput {
  readonly data: Account
}

export interface AccountUpdateInput {
  readonly only?: ReadonlyArray<string> | null
  readonly ignore?: ReadonlyArray<string> | null
  readonly zdr?: boolean | null
  readonly data_collection?: "allow" | "deny" | null
}

export interface AccountUpdateOutput {
  readonly data: Account
}

/** Account. */
export const account = (connection: Connection) => ({
  /** Get the account settings, which restrict all its requests. */
  get: (options?: CallOptions): Promise<AccountGetOutput> =>
    connection.call("GET /api/v1/signalbox/account", undefined, options),
  /** Update the account settings. Omitted fields keep their values. */
  update: (input?: AccountUpdateInput, options?: CallOptions): Promise<AccountUpdateOutput> =>
    connection.call("PATCH /api/v1/signalbox/account", input, options)
})
