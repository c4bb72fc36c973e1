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
  /** Counts what was written to it: whoever read an earlier turn writes nothing. */
  readonly version: number
  readonly account: AccountId
  readonly workspace: WorkspaceId
  /** The member it belongs to, who has one intern of a name in a workspace. */
  readonly creator: UserId
  readonly name: string
  readonly description: string | null
  /** Of the next provision; what it runs with now is in `run`. */
  readonly instructions: string | null
  /** Likewise; null: the default of its workspace. */
  readonly model: string | null
  readonly status: InternStatus
  /** While steps run. */
  readonly progress: InternProgress | null
  /** Why it failed; without secrets. */
  readonly lastFailureMessage: string | null
  /** Lower case; null until it was provisioned, and where its host gives it none. */
  readonly hostname: string | null
  /** Its private vault. */
  readonly vault: VaultId
  /** The private vault of another intern, which it borrows for as long as that one is there. */
  readonly attachedVault: VaultId | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly creation: InternCreation
  readonly run: InternRun
  /** Who is calling its host about it now. */
  readonly claim?: InternClaim
}

/** Which step of how many runs. */
export interface InternProgress {
  readonly label: string
  /** From 1. */
  readonly step: number
  readonly steps: number
}

/** What makes a create happen once. */
export interface InternCreation {
  /** What the request's key comes to, unique among all interns; absent once the key may be used anew. */
  readonly key?: string
  /** What the request came to. */
  readonly fingerprint: string
  /** Whether it is provisioned as soon as it is set up. */
  readonly shouldProvision: boolean
  /** Whether its host is prepared for it. */
  readonly isReady: boolean
  /** How often that has failed, and why it last did. */
  readonly failures: number
  readonly problem?: string
}

/** What is being done with it at its host, or was last. */
export interface InternRun {
  /** Counts them: what belongs to an earlier one does nothing any more. */
  readonly number: number
  readonly kind: "none" | "provision" | "suspend" | "destroy"
  /** Whether a provision of it has succeeded, ever: only then there is work of it to be lost. */
  readonly hasRun: boolean
  /** What it was last queued with; if it never was, what it said when this run began. Before any run it is not heeded. */
  readonly name: string
  readonly model: string | null
  readonly instructions: string | null
  /** How many steps of it are done; while they are undone, how many are left. */
  readonly completedSteps: number
  /** What each step of the host left when it was last done. */
  readonly notes: ReadonlyArray<string | null>
  /** Why its steps are being undone. */
  readonly failure?: string
  /** What becomes of what it worked on: archived, archived where that succeeds, or lost. */
  readonly archive?: "required" | "best_effort" | "skipped"
  /** Its workspace is gone: nobody can ask for it again. */
  readonly isOrphan?: true
}

/** Nobody else calls the host about the intern meanwhile. */
export interface InternClaim {
  readonly owner: string
  /** When it lapses, in milliseconds since the epoch. */
  readonly expiresAt: number
}
