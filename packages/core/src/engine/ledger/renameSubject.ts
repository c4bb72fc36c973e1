/** Renames a person in subjects and in the keys of counters, which have subjects or values in them. Pure. */
import type { AccountId } from "../../values/ids/Ids.ts"
import { findJson } from "../../values/json/guards.ts"

/** A person of an account and their next name. */
export interface SubjectRenaming {
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
