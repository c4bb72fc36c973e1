/** Whether a credential may be used for a caller: every list that it carries must match. */
import type { Caller } from "../auth/Caller.ts"
import type { Credential } from "./Credential.ts"

/** A caller without a key, or without a user, is in no list of them. */
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
