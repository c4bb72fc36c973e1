/** Whose spending is counted together: what a limit on spending holds against. */
import * as Brand from "effect/Brand"
import type { AccountId } from "../values/AccountId.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import type { UserId } from "../values/UserId.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"

/** Unique among all accounts. */
export type Subject = Brand.Branded<string, "Subject">

/** Who spends. */
export interface Spender {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly keyHash?: KeyHash
  /** The person whose key it is, or whom the host lets in. */
  readonly user?: UserId
}

export const ofKey = (keyHash: KeyHash): Subject => named("key", keyHash)

export const ofWorkspace = ({ account, workspace }: Spender): Subject =>
  named("workspace", account, workspace)

/** A person in one workspace. */
export const ofMember = ({ account, workspace }: Spender, user: UserId): Subject =>
  named("member", account, workspace, user)

/** A person in all workspaces of the account. */
export const ofUser = ({ account }: Spender, user: UserId): Subject => named("user", account, user)

/** The application itself in one workspace: nobody's key, and nobody in person. */
export const ofHost = ({ account, workspace }: Spender): Subject =>
  named("host", account, workspace)

/** Whose own limit `spender` is under: the key's, else the person's in the workspace, else the application's. */
export const ofCaller = (spender: Spender): Subject => {
  const { keyHash, user } = spender
  if (keyHash !== undefined) return ofKey(keyHash)
  return user === undefined ? ofHost(spender) : ofMember(spender, user)
}

/** Everybody for whom the spending of `spender` counts, each once. */
export const allOf = (spender: Spender): ReadonlyArray<Subject> => {
  const { keyHash, user } = spender
  const subjects = [ofWorkspace(spender)]
  if (keyHash !== undefined) subjects.push(ofKey(keyHash))
  if (user !== undefined) subjects.push(ofMember(spender, user), ofUser(spender, user))
  if (keyHash === undefined && user === undefined) subjects.push(ofHost(spender))
  return subjects
}

const subject = Brand.nominal<Subject>()

const named = (...parts: ReadonlyArray<string>): Subject => subject(JSON.stringify(parts))
