/** Where customers' own credentials are kept, their secrets sealed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SealedSecret } from "../secrets/Sealer.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { type OffsetRequest, type OffsetPage } from "../values/pages/OffsetPage.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import { type OrderChange } from "./reorder.ts"
import type { Credential, RefusalRecord } from "./Credential.ts"
import type { SealedCredential } from "./SealedCredential.ts"

/** Keeps customers' own credentials, their secrets sealed. */
export class CredentialStore extends Context.Service<
  CredentialStore,
  {
    readonly find: (account: AccountId, id: string) => Effect.Effect<SealedCredential | undefined>
    /** Those of a workspace and those of every workspace, by `sort_order`, then oldest first. */
    readonly list: (
      account: AccountId,
      scope: CredentialScope,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<SealedCredential>>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /**
     * All of an account that are not disabled, in no order. Asked for every request: an account
     * without any must be cheap.
     */
    readonly listEnabled: (account: AccountId) => Effect.Effect<ReadonlyArray<SealedCredential>>
    /**
     * Adds it behind the others of its provider. Race: of two added at once, each has a `sort_order`
     * of its own.
     */
    readonly insert: (
      account: AccountId,
      kept: NewSealedCredential
    ) => Effect.Effect<SealedCredential>
    /**
     * Adds it, or puts it in the place of the one with its id, which keeps its age, its `sort_order` and,
     * when `isSame` says that the secret is the one it had, its sealed secret and its state.
     */
    readonly put: (
      account: AccountId,
      kept: NewSealedCredential,
      isSame: boolean
    ) => Effect.Effect<SealedCredential>
    /** What `change` makes of it; undefined when there is none. Race: of two changes none is lost. */
    readonly update: (
      account: AccountId,
      id: string,
      change: (kept: SealedCredential) => SealedCredential
    ) => Effect.Effect<SealedCredential | undefined>
    /** With its secret; what was there. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<SealedCredential | undefined>
    /**
     * Puts these in front of the others of their providers, in this order; the others keep theirs. Gives
     * those that moved; undefined, and nothing moves, when one of them is not there. Race: of two orders
     * at once, the later one moves what the earlier one left.
     */
    readonly reorder: (
      account: AccountId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<OrderChange> | undefined>
    /** Notes that an upstream refused it, unless its secret has been changed since it was `sealed` so. */
    readonly recordRefusal: (
      account: AccountId,
      id: string,
      sealed: SealedSecret,
      refused: RefusalRecord
    ) => Effect.Effect<void>
    /**
     * Of all accounts: those sealed under another key than this one, at most so many, in whatever order; those
     * behind `after` in it, also when that one is gone by now.
     */
    readonly listToReseal: (
      keyId: string,
      after: OwnedCredential | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedCredential>>
    /**
     * Puts `after` in the place of `before`. Race: false, and nothing is done, when the secret was
     * changed or removed in between.
     */
    readonly reseal: (
      account: AccountId,
      id: string,
      before: SealedSecret,
      after: SealedSecret
    ) => Effect.Effect<boolean>
  }
>()("@signalbox/core/byok/CredentialStore") {}

/** One that has no place among the others yet. */
export type NewSealedCredential = Omit<SealedCredential, "credential" | "refused"> & {
  readonly credential: Omit<Credential, "sort_order">
}

/** A credential together with the account it belongs to. */
export interface OwnedCredential {
  readonly account: AccountId
  readonly row: SealedCredential
}

/** Which credentials of an account are listed. */
export interface CredentialScope {
  /** Absent: all workspaces. */
  readonly workspace?: WorkspaceId
  readonly provider?: string
}
