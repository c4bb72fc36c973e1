/** Whose spending is counted together: what a limit on spending holds against. */
import * as Brand from "effect/Brand"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import type { UserId } from "../values/ids/UserId.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"

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

export const fromKey = (keyHash: KeyHash): Subject => makeSubject("key", keyHash)

export const fromWorkspace = ({ account, workspace }: Spender): Subject =>
  makeSubject("workspace", account, workspace)

/** A person in one workspace. */
export const fromMember = ({ account, workspace }: Spender, user: UserId): Subject =>
  makeSubject("member", account, workspace, user)

/** A person in all workspaces of the account. */
export const fromUser = ({ account }: Spender, user: UserId): Subject =>
  makeSubject("user", account, user)

/** The application itself in one workspace: nobody's key, and nobody in person. */
export const fromHost = ({ account, workspace }: Spender): Subject =>
  makeSubject("host", account, workspace)

/** Whose own limit `spender` is under: the key's, else the person's in the workspace, else the application's. */
export const fromCaller = (spender: Spender): Subject => {
  const { keyHash, user } = spender
  if (keyHash !== undefined) return fromKey(keyHash)
  return user === undefined ? fromHost(spender) : fromMember(spender, user)
}

/** Everybody for whom the spending of `spender` counts, each once. */
export const listSubjects = (spender: Spender): ReadonlyArray<Subject> => {
  const { keyHash, user } = spender
  const subjects = [fromWorkspace(spender)]
  if (keyHash !== undefined) subjects.push(fromKey(keyHash))
  if (user !== undefined) subjects.push(fromMember(spender, user), fromUser(spender, user))
  if (keyHash === undefined && user === undefined) subjects.push(fromHost(spender))
  return subjects
}

const brandSubject = Brand.nominal<Subject>()

const makeSubject = (...parts: ReadonlyArray<string>): Subject =>
  brandSubject(JSON.stringify(parts))
