/** Subjects whose spending is counted together. */
import * as Brand from "effect/Brand"
import { memoize } from "effect/Function"
import type { Tags } from "../../values/Tags.ts"
import type { AccountId, KeyHash, UserId, WorkspaceId } from "../../values/ids/Ids.ts"
import { findJson } from "../../values/json/guards.ts"

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

/** A stored subject. */
export const parse = (text: string): Subject => brandSubject(text)

const brandSubject = Brand.nominal<Subject>()

const makeSubject = (...parts: ReadonlyArray<string>): Subject =>
  brandSubject(JSON.stringify(parts))

/** A person of an account and their next name. */
interface SubjectRenaming {
  readonly account: AccountId
  readonly kind: "external_user" | "user"
  readonly name: string
  readonly pseudonym: string
}

/** The kinds of `Subject.ts` that end with the name of an acting user; external users have none. */
const userSubjects: ReadonlySet<unknown> = new Set(["member", "user"])

/** The subject under the next name, in the form of `Subject.ts`; unchanged if it is not the person's. */
export const renameSubject = (subject: string, renaming: SubjectRenaming): string => {
  const parts = findJson(subject)
  if (!Array.isArray(parts)) return subject
  const { account, kind, name, pseudonym } = renaming
  if (parts[0] === "value") return parts[1] === account ? renameValue(parts, renaming) : subject
  const isOfUser = kind === "user" && userSubjects.has(parts[0])
  return isOfUser && parts[1] === account && parts.at(-1) === name
    ? JSON.stringify([...parts.slice(0, -1), pseudonym])
    : subject
}

/** The external user and the tags of a budget that counts each value by itself, as `toValueCap.ts` writes them. */
const renameValue = (
  [word, account, externalUser, ...tags]: ReadonlyArray<unknown>,
  { kind, name, pseudonym }: SubjectRenaming
): string => {
  const rename = (value: unknown) => (value === name ? pseudonym : value)
  return JSON.stringify([
    word,
    account,
    kind === "external_user" ? rename(externalUser) : externalUser,
    ...tags.map((tag) => (Array.isArray(tag) ? [tag[0], rename(tag[1])] : tag))
  ])
}

/** The key of a counter: the id of its limit is JSON with the subject as one of its parts. */
export const renameCounterKey = (key: string, renaming: SubjectRenaming): string => {
  const at = key.indexOf("[")
  const id = at < 0 ? undefined : findJson(key.slice(at))
  if (!Array.isArray(id)) return key
  let isChanged = false
  const renamed = id.map((part: unknown) => {
    if (typeof part !== "string") return part
    const subject = renameSubject(part, renaming)
    isChanged ||= subject !== part
    return subject
  })
  return isChanged ? `${key.slice(0, at)}${JSON.stringify(renamed)}` : key
}
