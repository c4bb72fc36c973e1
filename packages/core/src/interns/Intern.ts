/** An intern: one row, from its creation until it is destroyed. */
import type { AccountId } from "../values/ids/AccountId.ts"
import type { UserId } from "../values/ids/UserId.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { VaultId } from "../vaults/VaultId.ts"
import type { InternId } from "./InternId.ts"
import type { InternStatus } from "./InternStatus.ts"

/** Plain JSON without secrets. Times are milliseconds since the epoch. */
export interface Intern {
  readonly id: InternId
  /** Optimistic-lock version; stale writes are rejected. */
  readonly version: number
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** The member that owns the intern; names are unique per creator and workspace. */
  readonly creator: UserId
  readonly name: string
  readonly description: string | null
  /** For the next provision; `run` has what the intern runs with now. */
  readonly instructions: string | null
  /** For the next provision; null for the default of the workspace. */
  readonly model: string | null
  readonly status: InternStatus
  /** Not null while steps run. */
  readonly progress: InternProgress | null
  /** Contains no secrets. */
  readonly lastFailureMessage: string | null
  /** Lower case; null before the first provision, and when the host assigns none. */
  readonly hostname: string | null
  /** Its private vault. */
  readonly vault: VaultId
  /** The private vault of another intern, attached until that intern is removed. */
  readonly attachedVault: VaultId | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly creation: InternCreation
  readonly run: InternRun
  /** The process that is calling the host now. */
  readonly claim?: InternClaim
}

/** The current step of a provision. */
export interface InternProgress {
  readonly label: string
  /** From 1. */
  readonly step: number
  readonly steps: number
}

/** Makes the create request idempotent. */
export interface InternCreation {
  /** Hash of the idempotency key, unique among all interns; absent once the key has expired. */
  readonly key?: string
  /** Hash of the request. */
  readonly fingerprint: string
  /** Whether the intern is provisioned once it is prepared. */
  readonly shouldProvision: boolean
  /** Whether the host has prepared the intern. */
  readonly isReady: boolean
  /** Failed preparations; `problem` is the last failure. */
  readonly failures: number
  readonly problem?: string
}

/** The current or last run at the host. */
export interface InternRun {
  /** Counts runs; tasks of earlier runs do nothing. */
  readonly number: number
  readonly kind: "none" | "provision" | "suspend" | "destroy"
  /** Whether any provision has succeeded; without one there is no work to archive. */
  readonly hasRun: boolean
  /** The name, model and instructions of the last provision; without one, those at the start of this run. */
  readonly name: string
  readonly model: string | null
  readonly instructions: string | null
  /** Completed steps; counts down while steps are undone. */
  readonly completedSteps: number
  /** The result of each step, by its index. */
  readonly notes: ReadonlyArray<string | null>
  /** Why the steps are being undone. */
  readonly failure?: string
  /** Whether the work is archived before the intern is destroyed; `best_effort` continues after a failure. */
  readonly archive?: "required" | "best_effort" | "skipped"
  /** The workspace is deleted, so no caller can repeat the deletion. */
  readonly isOrphan?: true
}

/** Only the owner of the claim calls the host. */
export interface InternClaim {
  readonly owner: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}
