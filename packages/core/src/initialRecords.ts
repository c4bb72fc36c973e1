/** The records that an instance starts with: accounts, keys, credits and credentials from its options. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Transaction } from "./instance/Transaction.ts"
import { HostAccount } from "./tenants/accounts/AccountSettings.ts"
import { AccountStore } from "./tenants/accounts/AccountStore.ts"
import * as ApiKey from "./tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "./tenants/auth/keys/ApiKeyStore.ts"
import { Credentials } from "./tenants/byok/Credentials.ts"
import { LedgerStore } from "./engine/ledger/LedgerStore.ts"
import type { KeyConfig, Options } from "./Options.ts"
import { isObject } from "./values/json/guards.ts"
import { maskSecret } from "./engine/secrets/redact.ts"
import { hashKey } from "./engine/secrets/hashKey.ts"
import {
  AccountId,
  UserId,
  WorkspaceId,
  defaultAccountId,
  defaultWorkspaceId
} from "./values/ids/Ids.ts"
import { type FieldNames, checkFieldNames } from "./values/validation/checkFieldNames.ts"
import * as NanoUsd from "./values/usage/NanoUsd.ts"
import { Workspaces } from "./tenants/workspaces/Workspaces.ts"
import { decodeOption } from "./decodeOption.ts"

/** Writes the accounts, keys, credits and credentials of the options into the stores. */
export const layerInitialRecords = ({ accounts, credentials, credits, keys }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      for (const [index, account] of (accounts ?? []).entries()) {
        const { id } = decodeOption(`accounts.${index}`, HostAccount, account)
        yield* (yield* AccountStore).configure({ ...account, id })
      }
      const ledger = yield* LedgerStore
      const issued = new Set<string>()
      for (const [index, config] of (keys ?? []).entries()) {
        const key = yield* toApiKey(config, `keys.${index}`)
        if (issued.has(key.hash)) throw new RangeError(`the key ${key.label} is given twice`)
        issued.add(key.hash)
        yield* storeKey(key, `keys.${index}`)
      }
      for (const [account, usd] of Object.entries(credits ?? {})) {
        yield* ledger.setInitialCredits(
          decodeOption("an account of credits", AccountId, account),
          parseCredits(account, usd)
        )
      }
      const adopted = new Set<string>()
      for (const [index, given] of (credentials ?? []).entries()) {
        if (!isObject(given))
          throw new RangeError("a credential is not an object; give { provider, key }")
        checkFieldNames(given, "field of a credential", credentialFields, `credentials.${index}: `)
        const { account = defaultAccountId, ...config } = given
        const { name = "", provider } = config
        const identity = JSON.stringify([account, provider, name])
        if (adopted.has(identity)) {
          throw new RangeError(
            `two credentials for ${provider} are called "${name}"; name them apart`
          )
        }
        adopted.add(identity)
        yield* (yield* Credentials).adopt(AccountId.make(account), config)
      }
    })
  )

const keyKinds: ReadonlySet<string> = new Set(["member", "management", "organization"])

const keyFields: FieldNames<KeyConfig> = {
  key: true,
  kind: true,
  user: true,
  name: true,
  account: true,
  workspace: true,
  limit: true,
  limitReset: true,
  includeByokInLimit: true,
  expiresAt: true,
  rateLimit: true,
  tokenRateLimit: true,
  maxParallelRequests: true
}

const credentialFields: FieldNames<NonNullable<Options["credentials"]>[number]> = {
  account: true,
  provider: true,
  key: true,
  name: true,
  workspace_id: true,
  allowed_api_key_hashes: true,
  allowed_models: true,
  allowed_user_ids: true,
  declared_zdr: true,
  disabled: true,
  is_byok_only: true,
  is_fallback: true,
  is_required: true
}

/** `option` names the key in errors, such as `keys.0`. */
const toApiKey = (config: KeyConfig, option: string) => {
  if (!isObject(config)) {
    throw new RangeError(`${option}: a key is not an object; give { key, kind: "member", user }`)
  }
  checkFieldNames(config, "field of a key", keyFields, `${option}: `)
  const {
    account = defaultAccountId,
    expiresAt: expires_at = null,
    includeByokInLimit: include_byok_in_limit = false,
    key,
    kind,
    limit = null,
    limitReset: limit_reset = null,
    maxParallelRequests = null,
    name = kind,
    rateLimit = null,
    tokenRateLimit = null,
    user,
    workspace
  } = config
  if (!keyKinds.has(kind)) {
    throw new RangeError(
      `${option}: a key is of kind "${kind}"; use member, management or organization`
    )
  }
  if (key === undefined || toSecretText(key) === "") {
    throw new RangeError(`${option}: a ${kind} key is empty; is the variable that holds it set?`)
  }
  const secret = Redacted.make(toSecretText(key))
  const label = maskSecret(Redacted.value(secret))
  const hostKey = decodeOption(`${option}: the key ${label}`, ApiKey.HostKey, {
    name,
    limit,
    limit_reset,
    include_byok_in_limit,
    expires_at,
    rate_limit: rateLimit,
    token_rate_limit: tokenRateLimit,
    max_parallel_requests: maxParallelRequests
  })
  const { max_parallel_requests, rate_limit, token_rate_limit, ...stated } = hostKey
  if (kind === "member" && user === undefined) {
    throw new RangeError(
      `${option}: the key ${label}: user is missing; a member key acts for one, and kind: "organization" for none`
    )
  }
  const owner = decodeOption(`${option}: the key ${label}`, KeyOwner, { account, user, workspace })
  return Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const named = yield* workspaces.find({ account: owner.account }, owner.workspace)
    const workspace =
      named === undefined ? (owner.workspace ?? defaultWorkspaceId) : WorkspaceId.make(named.id)
    return ApiKey.make(
      {
        kind,
        account: owner.account,
        workspace,
        ...(owner.user === undefined ? undefined : { user: owner.user })
      },
      { secret_hash: yield* hashKey(secret), label },
      DateTime.formatIso(yield* DateTime.now),
      {
        ...stated,
        host_rate_limit: rate_limit,
        host_token_rate_limit: token_rate_limit,
        host_max_parallel_requests: max_parallel_requests,
        ...(named?.customer === undefined ? undefined : { customer: true })
      }
    )
  })
}

const KeyOwner = Schema.Struct({
  account: AccountId,
  user: Schema.optional(UserId),
  workspace: Schema.optional(WorkspaceId)
})

/** A key that was deleted stays deleted, so only a key that the store keeps needs its workspace. */
const storeKey = Effect.fnUntraced(function* (key: ApiKey.ApiKey, option: string) {
  const store = yield* ApiKeyStore
  const { withTransaction } = yield* Transaction
  yield* withTransaction(
    Effect.gen(function* () {
      yield* store.ensure(key)
      const stored = yield* store.find(key.account, key.hash)
      if (stored === undefined) return
      const workspace = yield* (yield* Workspaces).find(stored, stored.workspace)
      if (workspace !== undefined) return
      throw new RangeError(
        `${option}: the key ${key.label}: the account "${key.account}" has no workspace "${stored.workspace}"; give the id or slug of a workspace that GET /workspaces lists`
      )
    })
  )
})

const toSecretText = (key: string | Redacted.Redacted): string => {
  if (typeof key === "string") return key
  if (!Redacted.isRedacted(key)) throw new RangeError("a key must be a string")
  return Redacted.value(key)
}

const parseCredits = (account: string, amount: string): NanoUsd.NanoUsd => {
  try {
    return NanoUsd.parseUsd(amount)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new RangeError(`credits.${account}: ${cause.message}`, { cause })
  }
}
