/** What an account restricts for all of its requests, as the HTTP API shows and changes it. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountId } from "../../values/ids/Ids.ts"
import type { Account } from "./Account.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"

const Provider = Schema.NonEmptyString.check(isMaxCharacters(200))
const Providers = Schema.Array(Provider).check(Schema.isMaxLength(1_000))

const DataCollection = Schema.Literals(["allow", "deny"])

/** The restrictions of an account as the HTTP API shows them. */
export const AccountSettings = Schema.Struct({
  /** The only providers requests may use; null: all. */
  only: Schema.NullOr(Providers),
  /** Providers that are never used. */
  ignore: Schema.NullOr(Providers),
  /** True: endpoints with zero data retention only. */
  zdr: Schema.NullOr(Schema.Boolean),
  /** `deny`: providers that do not collect user data only. */
  data_collection: Schema.NullOr(DataCollection)
})
export type AccountSettings = typeof AccountSettings.Type

/** The same restrictions as a host writes them in code; unknown names are errors, because a misspelt one would not restrict anything. */
export const HostAccount = Schema.Struct({
  id: AccountId,
  only: Schema.optional(Providers),
  ignore: Schema.optional(Providers),
  zdr: Schema.optional(Schema.Boolean),
  dataCollection: Schema.optional(DataCollection)
})

/** Omitted fields stay unchanged; null and an empty list remove a restriction. */
export const AccountPatch = AccountSettings.mapFields(Struct.map(Schema.optionalKey))
export type AccountPatch = typeof AccountPatch.Type

export const toAccountSettings = ({
  dataCollection,
  ignore,
  only,
  zdr
}: Account): AccountSettings => ({
  only: only ?? null,
  ignore: ignore ?? null,
  zdr: zdr ?? null,
  data_collection: dataCollection ?? null
})

/** The restrictions of an account after a change. */
export const applyPatch = (account: Account, patch: AccountPatch): Omit<Account, "id"> => {
  const { data_collection, ignore, only, zdr } = { ...toAccountSettings(account), ...patch }
  return {
    ...(isRestriction(only) ? { only } : undefined),
    ...(isRestriction(ignore) ? { ignore } : undefined),
    ...(zdr === null ? undefined : { zdr }),
    ...(data_collection === null ? undefined : { dataCollection: data_collection })
  }
}

/** As everywhere in routing, an empty list restricts nothing. */
const isRestriction = (list: ReadonlyArray<string> | null): list is ReadonlyArray<string> =>
  list !== null && list.length > 0
