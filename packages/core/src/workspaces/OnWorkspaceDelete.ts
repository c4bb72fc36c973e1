/** What lives in a workspace and ends with it. */
import type * as Effect from "effect/Effect"
import type { Actor } from "../values/Actor.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"

/**
 * Removes what lives in a workspace that is being deleted, inside the transaction that deletes it, each
 * thing told of in the audit log. Gives what is to be done once the deletion is kept, such as to
 * forget what was remembered.
 */
export type OnWorkspaceDelete = (
  actor: Actor,
  workspace: WorkspaceId
) => Effect.Effect<Effect.Effect<void>>
