/** The hook for the deletion of a workspace. */
import type * as Effect from "effect/Effect"
import type { Actor } from "../../values/Actor.ts"
import type { WorkspaceId } from "../../values/ids/Ids.ts"

/**
 * Removes resources of a workspace in the transaction that deletes it, and writes the audit log. Returns the effect
 * to run after the commit, for example to invalidate a cache.
 */
export type OnWorkspaceDelete = (
  actor: Actor,
  workspace: WorkspaceId
) => Effect.Effect<Effect.Effect<void>>
