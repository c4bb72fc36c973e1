/** A workspace of an account: keys, credentials, guardrails and interns live in one. */
import * as Schema from "effect/Schema"

export const WorkspaceId = Schema.NonEmptyString.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The workspace of a host that never created one. */
export const defaultWorkspaceId: WorkspaceId = WorkspaceId.make(
  "00000000-0000-4000-8000-000000000000"
)
