/** Stores customers' own credentials with sealed secrets. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SealedSecret } from "../../engine/secrets/Sealer.ts"
import type { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import type { OwnedRows } from "../../instance/OwnedStore.ts"
import type { OffsetRequest, OffsetPage } from "../../values/pages/OffsetPage.ts"
import type { Credential, RefusalRecord } from "./Credential.ts"
import type { SealedCredential } from "./UsableCredential.ts"

/** Stores customers' own credentials with sealed secrets. */
export class CredentialStore extends Context.Service<
  CredentialStore,
  OwnedRows<SealedCredential> & {
    /** Lists the credentials of the workspace and of every workspace, by `sort_order`, then oldest first. */
    readonly list: (
      account: AccountId,
      scope: CredentialScope,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<SealedCredential>>
    /**
     * The enabled credentials of an account, in any order. Every request asks, so an account without any must be
     * cheap.
     */
    readonly listEnabled: (account: AccountId) => Effect.Effect<ReadonlyArray<SealedCredential>>
    /**
     * Adds it behind the others of its provider. Race: concurrently added credentials get different `sort_order`s.
     */
    readonly insert: (
      account: AccountId,
      kept: NewSealedCredential
    ) => Effect.Effect<SealedCredential>
    /**
     * Adds it, or replaces the one with its id, keeping `created_at` and `sort_order`. `isSame` says that the secret is
     * unchanged: then its sealed secret and its refusal stay too.
     */
    readonly put: (
      account: AccountId,
      kept: NewSealedCredential,
      isSame: boolean
    ) => Effect.Effect<SealedCredential>
    /**
     * Moves these before the others of their providers, in this order; the others keep their order. Returns the moved
     * ones; undefined, without any change, when one does not exist. Race: of concurrent calls, the later one starts
     * from the result of the earlier one.
     */
    readonly reorder: (
      account: AccountId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OrderChange> | undefined>
    /** Records a refusal, unless the secret has changed since it was `sealed`. */
    readonly recordRefusal: (
      account: AccountId,
      id: string,
      sealed: SealedSecret,
      refused: RefusalRecord
    ) => Effect.Effect<void>
    /**
     * Credentials of all accounts sealed under another key, at most `limit`, in a fixed order of the store; those after
     * `after`, even when that one does not exist any more.
     */
    readonly listToReseal: (
      keyId: string,
      after: OwnedCredential | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedCredential>>
    /**
     * Replaces the sealed secret. Race: returns false and changes nothing when it is not `before` any more.
     */
    readonly reseal: (
      account: AccountId,
      id: string,
      before: SealedSecret,
      after: SealedSecret
    ) => Effect.Effect<boolean>
  }
>()("@signalbox/core/tenants/byok/CredentialStore") {}

/** A change of `sort_order`. */
export interface OrderChange {
  readonly id: string
  readonly before: number
  readonly after: number
}

/**
 * Moves the credentials in `ids` to the front of those of their providers, in this order, and returns the moved ones;
 * undefined when one of `ids` does not exist. `rows` are all credentials of an account, oldest first.
 */
export const reorder = (
  rows: ReadonlyArray<SealedCredential>,
  ids: ReadonlyArray<string>
): ReadonlyArray<OrderChange> | undefined => {
  const byId = new Map(rows.map((row) => [row.credential.id, row]))
  const providers = new Set<string>()
  for (const id of ids) {
    const row = byId.get(id)
    if (row === undefined) return undefined
    providers.add(row.credential.provider)
  }
  const positions = new Map(ids.map((id, position) => [id, position]))
  const toPosition = ({ credential }: SealedCredential): number =>
    positions.get(credential.id) ?? ids.length
  return Array.from(providers).flatMap((provider) =>
    rows
      .filter(({ credential }) => credential.provider === provider)
      .toSorted((self, that) => toPosition(self) - toPosition(that) || compareSortOrder(self, that))
      .flatMap(({ credential: { id, sort_order: before } }, after) =>
        before === after ? [] : [{ id, before, after }]
      )
  )
}

/** Rows with equal `sort_order` stay oldest first, because sorting is stable. */
export const compareSortOrder = (self: SealedCredential, that: SealedCredential): number =>
  self.credential.sort_order - that.credential.sort_order

/** A credential without a `sort_order`. */
export type NewSealedCredential = Omit<SealedCredential, "credential" | "refused"> & {
  readonly credential: Omit<Credential, "sort_order">
}

/** A credential and its account. */
export interface OwnedCredential {
  readonly account: AccountId
  readonly row: SealedCredential
}

/** Selects credentials of an account. */
export interface CredentialScope {
  /** Absent: all workspaces. */
  readonly workspace?: WorkspaceId
  readonly provider?: string
}
