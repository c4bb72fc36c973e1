/** Renames persons in what stores keep of requests. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../values/ids/Ids.ts"

/**
 * Renames a person in records, figures, counters, jobs, labels and the audit log. What else names persons has ports that can
 * change it: keys, members, assignments and credentials.
 */
export class PersonStore extends Context.Service<
  PersonStore,
  {
    /**
     * Replaces the name by the pseudonym, in tags of all records too, and drops from records and jobs of the person what else
     * might name them: the trace and the session. Deletes the failed requests of the person, and kept content. Sums of money stay as they
     * are, under the pseudonym. Returns how many rows changed.
     *
     * Race: a request that ends meanwhile may be recorded under the name; a second call finds it.
     */
    readonly rename: (renaming: Renaming) => Effect.Effect<number>
  }
>()("@signalbox/core/domains/people/PersonStore") {}

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
