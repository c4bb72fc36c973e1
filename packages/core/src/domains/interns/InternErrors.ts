/** Errors of interns. */
import * as Data from "effect/Data"
import type { VaultId } from "../vaults/VaultId.ts"
import type { InternId } from "./InternId.ts"
import type { InternEvent, InternStatus } from "./InternStatus.ts"

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
