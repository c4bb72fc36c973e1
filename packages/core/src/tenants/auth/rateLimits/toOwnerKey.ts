/** Whose requests rate limits count together. */
import type { Caller } from "../Caller.ts"

/** Those of the key, or of the user that a host authenticated without a key. */
export const toOwnerKey = ({ account, keyHash, user, workspace }: Caller): string =>
  keyHash ?? JSON.stringify([account, workspace, user])

/** Those of all keys and users of a customer. */
export const toCustomerKey = ({ account, workspace }: Caller): string =>
  JSON.stringify(["customer", account, workspace])
