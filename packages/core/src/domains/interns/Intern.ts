/** An intern: one row, from its creation until it is destroyed; who may have interns, and the errors of their operations. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { AccountId, UserId, WorkspaceId } from "../../values/ids/Ids.ts"
import {
  nullableText,
  optionalNumber,
  optionalText,
  optionalTrue
} from "../../values/schemaFields.ts"
import { VaultId } from "../vaults/VaultId.ts"
import { InternId } from "./InternId.ts"
import { type InternEvent, InternStatus } from "./InternStatus.ts"

/** The current step of a provision. */
export const InternProgress = Schema.Struct({
  label: Schema.String,
  /** From 1. */
  step: Schema.Finite,
  steps: Schema.Finite
})
export type InternProgress = typeof InternProgress.Type

/** Makes the create request idempotent. */
export const InternCreation = Schema.Struct({
  /** Hash of the idempotency key, unique among all interns; absent once the key has expired. */
  key: optionalText,
  /** Hash of the request. */
  fingerprint: Schema.String,
  /** Whether the intern is provisioned once it is prepared. */
  shouldProvision: Schema.Boolean,
  /** Whether the host has prepared the intern. */
  isReady: Schema.Boolean,
  /** Failed preparations; `problem` is the last failure. */
  failures: Schema.Finite,
  problem: optionalText
})
export type InternCreation = typeof InternCreation.Type

/** The current or last run at the host. */
export const InternRun = Schema.Struct({
  /** Counts runs; tasks of earlier runs do nothing. */
  number: Schema.Finite,
  kind: Schema.Literals(["none", "provision", "suspend", "destroy"]),
  /** Whether any provision has succeeded; without one there is no work to archive. */
  hasRun: Schema.Boolean,
  /** The name, model and instructions of the last provision; without one, those at the start of this run. */
  name: Schema.String,
  model: nullableText,
  instructions: nullableText,
  /** Completed steps; counts down while steps are undone. */
  completedSteps: Schema.Finite,
  /** The result of each step, by its index. */
  notes: Schema.Array(nullableText),
  /** Why the steps are being undone. */
  failure: optionalText,
  /** Whether the work is archived before the intern is destroyed; `best_effort` continues after a failure. */
  archive: Schema.optionalKey(Schema.Literals(["required", "best_effort", "skipped"])),
  /** The workspace is deleted, so no caller can repeat the deletion. */
  isOrphan: optionalTrue
})
export type InternRun = typeof InternRun.Type

/** Only the owner of the claim calls the host. */
export const InternClaim = Schema.Struct({
  owner: Schema.String,
  /** Milliseconds since the epoch, by the clock of its process. */
  expiresAt: Schema.Finite,
  /** How long it lasts; absent in claims of older releases. */
  leaseMillis: optionalNumber
})
export type InternClaim = typeof InternClaim.Type

/** Plain JSON without secrets. Times are milliseconds since the epoch. */
export const Intern = Schema.Struct({
  id: InternId,
  /** Optimistic-lock version; stale writes are rejected. */
  version: Schema.Finite,
  account: AccountId,
  workspace: WorkspaceId,
  /** The member that owns the intern; names are unique per creator and workspace. */
  creator: UserId,
  name: Schema.String,
  description: nullableText,
  /** For the next provision; `run` has what the intern runs with now. */
  instructions: nullableText,
  /** For the next provision; null for the default of the workspace. */
  model: nullableText,
  status: InternStatus,
  /** Not null while steps run. */
  progress: Schema.NullOr(InternProgress),
  /** Contains no secrets. */
  lastFailureMessage: nullableText,
  /** Lower case; null before the first provision, and when the host assigns none. */
  hostname: nullableText,
  /** Its private vault. */
  vault: VaultId,
  /** The private vault of another intern, attached until that intern is removed. */
  attachedVault: Schema.NullOr(VaultId),
  createdAt: Schema.Finite,
  updatedAt: Schema.Finite,
  creation: InternCreation,
  run: InternRun,
  /** The process that is calling the host now. */
  claim: Schema.optionalKey(InternClaim)
})
export type Intern = typeof Intern.Type

/** Provided by the host; false answers every path of interns with 404. */
export type EligibilityRule = (caller: Caller) => boolean | Promise<boolean>

/** The eligibility rule of the host. */
export class InternEligibility extends Context.Service<InternEligibility, EligibilityRule>()(
  "@signalbox/core/domains/interns/InternEligibility"
) {}

/** The caller acts as the organization, so no member can own the intern. */
export class NoActingUser extends Data.TaggedError("NoActingUser")<{}> {}

/** The creator has another intern with this name in the workspace. */
export class NameTaken extends Data.TaggedError("NameTaken")<{ readonly name: string }> {}

/** No other intern of the workspace owns this vault. */
export class NotLendable extends Data.TaggedError("NotLendable")<{ readonly vault: VaultId }> {}

/** The key was used for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused")<{}> {}

/** Another request is still creating the intern; a retry may succeed. */
export class CreationBusy extends Data.TaggedError("CreationBusy")<{ readonly intern: InternId }> {}

/** The host failed to prepare the intern; repeating the request continues. */
export class UpstreamUnavailable extends Data.TaggedError("UpstreamUnavailable")<{
  readonly intern: InternId
  /** The message of the host, without secrets. */
  readonly problem: string
}> {}

/** The status of the intern does not allow the transition. */
export class WrongStatus extends Data.TaggedError("WrongStatus")<{
  readonly status: InternStatus
  readonly event: InternEvent
}> {}

/** The work of the intern could not be archived; deletion must acknowledge the loss. */
export class LossUnacknowledged extends Data.TaggedError("LossUnacknowledged")<{}> {}
