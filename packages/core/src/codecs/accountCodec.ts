/** An account, to JSON and back. */
import * as Schema from "effect/Schema"
import type { Account } from "../accounts/Account.ts"
import { AccountId } from "../values/ids/AccountId.ts"
import type { FieldsOf } from "./codecFields.ts"

const optionalNames = Schema.optionalKey(Schema.Array(Schema.String))

/** An account to JSON and back. */
export const accountCodec: Schema.Codec<Account, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: AccountId,
    only: optionalNames,
    ignore: optionalNames,
    zdr: Schema.optionalKey(Schema.Boolean),
    dataCollection: Schema.optionalKey(Schema.Literals(["allow", "deny"]))
  } satisfies FieldsOf<Account>)
)
