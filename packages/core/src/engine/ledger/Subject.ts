/** Subjects whose spending is counted together. */
import * as Brand from "effect/Brand"
import { memoize } from "effect/Function"
import type { Tags } from "../../values/Tags.ts"
import type { AccountId, KeyHash, UserId, WorkspaceId } from "../../values/ids/Ids.ts"

/** Unique among all accounts. */
export type Subject = Brand.Branded<string, "Subject">

/** The caller of a request, to whose subjects its cost is counted. */
export interface Spender {
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly keyHash?: KeyHash
  /** The member the key acts for, or the user that the host authenticated. */
  readonly user?: UserId
  readonly tags?: Tags
}

export const fromKey = (keyHash: KeyHash): Subject => makeSubject("key", keyHash)

export const fromWorkspace = ({ account, workspace }: Spender): Subject =>
  makeSubject("workspace", account, workspace)

/** A user in one workspace. */
export const fromMember = ({ account, workspace }: Spender, user: UserId): Subject =>
  makeSubject("member", account, workspace, user)

/** A user in all workspaces of the account. */
export const fromUser = ({ account }: Spender, user: UserId): Subject =>
  makeSubject("user", account, user)

/** The application itself in one workspace: calls without a key and a user. */
export const fromHost = ({ account, workspace }: Spender): Subject =>
  makeSubject("host", account, workspace)

/** The subject of the caller's own limit: the key, else the user in the workspace, else the application. */
export const fromCaller = (spender: Spender): Subject => {
  const { keyHash, user } = spender
  if (keyHash !== undefined) return fromKey(keyHash)
  return user === undefined ? fromHost(spender) : fromMember(spender, user)
}

/** All subjects to which the spending of `spender` counts, without duplicates. Memoized: callers are immutable. */
export const listSubjects = memoize((spender: Spender): ReadonlyArray<Subject> => {
  const { keyHash, user } = spender
  const subjects = [fromWorkspace(spender)]
  if (keyHash !== undefined) subjects.push(fromKey(keyHash))
  if (user !== undefined) subjects.push(fromMember(spender, user), fromUser(spender, user))
  if (keyHash === undefined && user === undefined) subjects.push(fromHost(spender))
  return subjects
})

const brandSubject = Brand.nominal<Subject>()

const makeSubject = (...parts: ReadonlyArray<string>): Subject =>
  brandSubject(JSON.stringify(parts))
