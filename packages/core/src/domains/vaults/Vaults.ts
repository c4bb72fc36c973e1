/** Manages the secrets of interns, and releases each to the hosts it is bound to. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { Secret } from "./Secret.ts"
import type { SecretUnbound, SecretUnreadable, Vault, VaultClosed } from "./Vault.ts"
import type * as VaultId from "./VaultId.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import { buildBeforeDeletion } from "../../tenants/workspaces/Workspaces.ts"

/** Vaults. A vault of another workspace is not found. */
export class Vaults extends Context.Service<
  Vaults,
  {
    /** The id of the vault of the caller's workspace; the vault always exists. */
    readonly ofWorkspace: (caller: VaultCaller) => Effect.Effect<VaultId.VaultId>
    /**
     * Opens the empty private vault of an intern. Call it in the transaction that creates the intern, which locks
     * the workspace and writes the audit log.
     */
    readonly openForIntern: (caller: VaultCaller, internId: string) => Effect.Effect<Vault>
    /** Deletes a vault and its secrets; does nothing when the vault is closed. */
    readonly close: (caller: VaultCaller, id: string) => Effect.Effect<void>
    /** Sorted by name. */
    readonly list: (
      caller: VaultCaller,
      id: string,
      page: OffsetRequest
    ) => Effect.Effect<SecretList, ResourceNotFound>
    /** Creates or replaces a secret; fails without a sealing key. */
    readonly put: (
      caller: VaultCaller,
      id: string,
      name: string,
      secret: NewSecret
    ) => Effect.Effect<Secret, InvalidRequest | ResourceNotFound | VaultClosed | QuotaExceeded>
    readonly remove: (
      caller: VaultCaller,
      id: string,
      name: string
    ) => Effect.Effect<void, InvalidRequest | ResourceNotFound>
    /** Copies all of these secrets or none, in this order. */
    readonly copy: (
      caller: VaultCaller,
      from: string,
      to: string,
      names: ReadonlyArray<string>
    ) => Effect.Effect<
      ReadonlyArray<Secret>,
      | InvalidRequest
      | ResourceNotFound
      | SecretUnbound
      | SecretUnreadable
      | VaultClosed
      | QuotaExceeded
    >
    /**
     * The secrets bound to exactly this host, ignoring case and a trailing dot. Anything but a host name gets none.
     * Of secrets with one name, the one of the first vault in `ids` wins.
     */
    readonly release: (
      ids: ReadonlyArray<string>,
      host: string
    ) => Effect.Effect<ReadonlyArray<ReleasedSecret>, SecretUnreadable>
    /** Seals everything that is sealed under an older key under the current one; returns the count. */
    readonly reseal: Effect.Effect<number>
  }
>()("@signalbox/core/domains/vaults/Vaults") {
  static readonly layer = layerOnDemand(
    Vaults,
    {
      ofWorkspace: "call",
      openForIntern: "call",
      close: "call",
      list: "call",
      put: "call",
      remove: "call",
      copy: "call",
      release: "call",
      reseal: "effect"
    },
    importNamed(() => import("./layerVaults.ts"), "layerVaults"),
    buildBeforeDeletion
  )
}

/** The fields of a caller that vaults need. */
export type VaultCaller = Pick<Caller, "account" | "keyHash" | "user" | "workspace">

/** A secret to store. */
export interface NewSecret {
  /** 1 to 65,536 characters. */
  readonly value: Redacted.Redacted
  /** 1 to 100 exact host names; null for a secret that is never released or copied. */
  readonly hosts: ReadonlyArray<string> | null
}

/** A page of secrets without their values. */
export interface SecretList {
  readonly rows: ReadonlyArray<Secret>
  readonly hasMore: boolean
}

/** A secret with its value, for a request to its host. */
export interface ReleasedSecret {
  readonly name: string
  readonly value: Redacted.Redacted
}
