/** Who labelled an answer. */
import * as Schema from "effect/Schema"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { canManageAccount } from "../../tenants/auth/permissions.ts"
import { optionalText, optionalTrue } from "../../values/schemaFields.ts"

/** Neither a user nor a key: the application itself, or callers that it authenticates without either. */
export const Labeler = Schema.Struct({
  user: optionalText,
  /** The hash that names a key. */
  key: optionalText,
  /** Whether it managed the account, as management keys and the application do. */
  isManager: optionalTrue
})
export type Labeler = typeof Labeler.Type

export const toLabeler = (caller: Caller): Labeler => ({
  ...(caller.user === undefined ? undefined : { user: caller.user }),
  ...(caller.keyHash === undefined ? undefined : { key: caller.keyHash }),
  ...(canManageAccount(caller) ? { isManager: true } : undefined)
})

/** The same for all keys of a user. */
export const toLabelerKey = ({ isManager, key, user }: Labeler): string =>
  JSON.stringify([isManager === true, ...(user === undefined ? ["key", key] : ["user", user])])
