/** A person, whose records can be exported and erased. */
import type { AccountId } from "../../values/ids/Ids.ts"

/** A name in an account: an acting user, or the `user` of requests. The same name may be two persons. */
export interface Person {
  readonly account: AccountId
  readonly kind: "external_user" | "user"
  readonly name: string
}

/** A person, and the name that takes the place of theirs. */
export interface Renaming extends Person {
  readonly pseudonym: string
}
