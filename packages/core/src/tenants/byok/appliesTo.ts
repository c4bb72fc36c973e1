/** Whether a credential applies to a caller: all of its allow lists must match. */
import type { Caller } from "../auth/Caller.ts"
import type { Credential } from "./Credential.ts"

/** A caller without a key or user matches no allow list of keys or users. */
export const appliesTo = (
  { allowed_api_key_hashes, allowed_user_ids, disabled, workspace_id }: Credential,
  { keyHash, user, workspace }: Pick<Caller, "keyHash" | "user" | "workspace">
): boolean =>
  !disabled &&
  (workspace_id === null || workspace_id === workspace) &&
  isAllowed(allowed_api_key_hashes, keyHash) &&
  isAllowed(allowed_user_ids, user)

const isAllowed = (list: ReadonlyArray<string> | null, value: string | undefined): boolean =>
  list === null || (value !== undefined && list.includes(value))
