/** Renames a person in subjects and in the keys of counters, which have subjects in them. Pure. */
import type { AccountId } from "../../values/ids/Ids.ts"

/** A person of an account and their next name. */
export interface SubjectRenaming {
  readonly account: AccountId
  readonly kind: "external_user" | "user"
  readonly name: string
  readonly pseudonym: string
}

/** The kinds of `Subject.ts` that end with the name of an acting user; external users have none. */
const userSubjects: ReadonlySet<unknown> = new Set(["member", "user"])

/** The subject under the next name, in the form of `Subject.ts`; as it is when it is of nobody else. */
export const renameSubject = (subject: string, renaming: SubjectRenaming): string => {
  const parts: unknown = parseJson(subject)
  if (!Array.isArray(parts)) return subject
  const { account, kind, name, pseudonym } = renaming
  const isOfUser = kind === "user" && userSubjects.has(parts[0])
  return isOfUser && parts[1] === account && parts.at(-1) === name
    ? JSON.stringify([...parts.slice(0, -1), pseudonym])
    : subject
}

/** The key of a counter: the id of its limit is JSON with the subject as one of its parts. */
export const renameCounterKey = (key: string, renaming: SubjectRenaming): string => {
  const at = key.indexOf("[")
  const id: unknown = at < 0 ? undefined : parseJson(key.slice(at))
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

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
