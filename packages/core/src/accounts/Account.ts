/** An account: the outermost owner of everything stored, and the outermost restriction of routing. */
import type { AccountId } from "../values/ids/AccountId.ts"

/** An account and the restrictions that every request of it falls under. */
export interface Account {
  readonly id: AccountId
  /** Provider slugs requests of this account may use; absent means all. A request narrows inside. */
  readonly only?: ReadonlyArray<string>
  /** Provider slugs requests of this account never use, beside those a request names. */
  readonly ignore?: ReadonlyArray<string>
  /** True restricts every request to zero-data-retention endpoints. */
  readonly zdr?: boolean
  /** `deny` restricts every request to providers that do not collect user data. */
  readonly dataCollection?: "allow" | "deny"
}
