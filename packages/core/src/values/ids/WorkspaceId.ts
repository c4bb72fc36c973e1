/** A workspace of an account: keys, credentials, guardrails and interns live in one. */
import * as Schema from "effect/Schema"

/** Names a workspace; never empty. */
export const WorkspaceId = Schema.NonEmptyString.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The pattern of an id, a UUID in lower case. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text has the form of an id. A slug never has it. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** The default workspace of every account. */
export const defaultWorkspaceId: WorkspaceId = WorkspaceId.make(
  "00000000-0000-4000-8000-000000000000"
)
