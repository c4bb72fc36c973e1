/** An account: the owner of all stored records, with the restrictions of all its requests. */
import * as Schema from "effect/Schema"
import { AccountId } from "../../values/ids/Ids.ts"

/** An account and the restrictions that apply to each of its requests. */
export const Account = Schema.Struct({
  id: AccountId,
  /** The provider slugs its requests may use; absent: all. A request may narrow them further. */
  only: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Provider slugs its requests never use, in addition to those a request ignores. */
  ignore: Schema.optionalKey(Schema.Array(Schema.String)),
  /** True restricts every request to zero-data-retention endpoints. */
  zdr: Schema.optionalKey(Schema.Boolean),
  /** `deny` restricts every request to providers that do not collect user data. */
  dataCollection: Schema.optionalKey(Schema.Literals(["allow", "deny"]))
})
export type Account = typeof Account.Type
