/** Vault: the operations of the group `vaults`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Vault {
  readonly created_at: string
  readonly fingerprint: string | null
  readonly hosts: ReadonlyArray<string> | null
  readonly name: string
}

export interface VaultsListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface VaultsListPage {
  readonly data: ReadonlyArray<Vault>
  readonly has_more: boolean
}

export interface VaultsPutInput {
  readonly name: string
  readonly hosts: ReadonlyArray<string>
  readonly value: string
}

export interface VaultsPutOutput {
  readonly data: Vault
}

export interface VaultsDeleteInput {
  readonly name: string
}

export interface VaultsListForInternInput {
  readonly internId: string
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
}

export interface VaultsListForInternPage {
  readonly data: ReadonlyArray<Vault>
  readonly has_more: boolean
}

export interface VaultsPutForInternInput {
  readonly internId: string
  readonly name: string
  readonly hosts: ReadonlyArray<string>
  readonly value: string
}

export interface VaultsPutForInternOutput {
  readonly data: Vault
}

export interface VaultsDeleteForInternInput {
  readonly internId: string
  readonly name: string
}

export interface VaultsCopyToInternInput {
  readonly internId: string
  readonly names: ReadonlyArray<string>
}

export interface VaultsCopyToInternOutput {
  readonly data: ReadonlyArray<Vault>
}

/** Vault. */
export const vaults = (connection: Connection) => ({
  /** List the secrets of the key's workspace, without their values. */
  list: (input?: VaultsListInput, options?: CallOptions): Paged<VaultsListPage, Vault> =>
    connection.list<Vault, VaultsListPage>("GET /api/v1/vault/secrets", input, options),
  /** Create or replace a secret of the workspace. It is stored encrypted. */
  put: (input: VaultsPutInput, options?: CallOptions): Promise<VaultsPutOutput> =>
    connection.call("PUT /api/v1/vault/secrets/:name", input, options),
  /** Delete a secret of the workspace. */
  delete: (input: VaultsDeleteInput, options?: CallOptions): Promise<void> =>
    connection.call("DELETE /api/v1/vault/secrets/:name", input, options),
  /** List the secrets of an intern, without their values. */
  listForIntern: (
    input: VaultsListForInternInput,
    options?: CallOptions
  ): Paged<VaultsListForInternPage, Vault> =>
    connection.list<Vault, VaultsListForInternPage>(
      "GET /api/v1/vault/interns/:internId/secrets",
      input,
      options
    ),
  /** Create or replace a secret of an intern. It is stored encrypted. */
  putForIntern: (
    input: VaultsPutForInternInput,
    options?: CallOptions
  ): Promise<VaultsPutForInternOutput> =>
    connection.call("PUT /api/v1/vault/interns/:internId/secrets/:name", input, options),
  /** Delete a secret of an intern. */
  deleteForIntern: (input: VaultsDeleteForInternInput, options?: CallOptions): Promise<void> =>
    connection.call("DELETE /api/v1/vault/interns/:internId/secrets/:name", input, options),
  /** Copy secrets of the workspace to an intern, either all or none. */
  copyToIntern: (
    input: VaultsCopyToInternInput,
    options?: CallOptions
  ): Promise<VaultsCopyToInternOutput> =>
    connection.call("POST /api/v1/vault/interns/:internId/secrets/copy", input, options)
})
