/** How asking for interns fails, in facts. */
import * as Data from "effect/Data"
import type { VaultId } from "../vaults/VaultId.ts"
import type { InternId } from "./InternId.ts"
import type { InternStatus } from "./InternStatus.ts"
import type { InternEvent } from "./lifecycle.ts"

/** The caller acts as the organization: there is no member to own a new intern. */
export class NoActingUser extends Data.TaggedError("NoActingUser")<{}> {}

/** Another intern of this creator has the name, in this workspace. */
export class NameTaken extends Data.TaggedError("NameTaken")<{ readonly name: string }> {}

/** No intern of the workspace owns such a vault. */
export class NotLendable extends Data.TaggedError("NotLendable")<{ readonly vault: VaultId }> {}

/** The key was used for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused")<{}> {}

/** The same request is still being worked on, for longer than this one may wait: asking again helps. */
export class CreationBusy extends Data.TaggedError("CreationBusy")<{ readonly intern: InternId }> {}

/** The intern is kept and its set-up is not done: the same request goes on with it. */
export class UpstreamUnavailable extends Data.TaggedError("UpstreamUnavailable")<{
  readonly intern: InternId
  /** Why, as the host of interns says it; without secrets. */
  readonly problem: string
}> {}

/** What was asked for does not follow on how the intern stands. */
export class WrongStatus extends Data.TaggedError("WrongStatus")<{
  readonly status: InternStatus
  readonly event: InternEvent
}> {}

/** What the intern has worked on could not be archived: it goes only when its loss is acknowledged. */
export class LossUnacknowledged extends Data.TaggedError("LossUnacknowledged")<{}> {}
