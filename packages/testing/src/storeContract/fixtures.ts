/** Unique names, so that contracts can run on a store that is not empty. */
import {
  AccountId,
  type ApiKey,
  defaultWorkspaceId,
  GenerationId,
  KeyHash,
  type Limit,
  NanoUsd,
  type Subject,
  UserId,
  WorkspaceId
} from "@signalbox/core/stores"

export const makeAccountId = (): AccountId => AccountId.make(`account-${crypto.randomUUID()}`)

export const makeKeyHash = (): KeyHash =>
  KeyHash.make((crypto.randomUUID() + crypto.randomUUID()).replaceAll("-", ""))

export const makeGenerationId = (): GenerationId =>
  GenerationId.make(`gen-dec-0-${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`)

/** A key of a member, in a new account and workspace. */
export const makeSpender = (): Required<Omit<Subject.Spender, "tags">> => ({
  account: makeAccountId(),
  workspace: WorkspaceId.make(crypto.randomUUID()),
  keyHash: makeKeyHash(),
  user: UserId.make(`user-${crypto.randomUUID()}`)
})

/** A new limit of `cap` nano-USD. */
export const makeLimit = (cap: bigint): Limit => ({
  kind: "credits",
  id: crypto.randomUUID(),
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  countsByok: false,
  cap: NanoUsd.make(cap)
})

/** A key of a new account. */
export const makeApiKey = (changes: Partial<ApiKey> = {}): ApiKey => {
  const hash = makeKeyHash()
  return {
    hash,
    secret_hash: hash,
    former_secret: null,
    account: makeAccountId(),
    workspace: defaultWorkspaceId,
    kind: "organization",
    name: "a key",
    label: "sk-one...xyz",
    limit: null,
    limit_reset: null,
    include_byok_in_limit: false,
    disabled: false,
    expires_at: null,
    created_at: "2026-11-01T00:00:00.000Z",
    updated_at: null,
    creator_user_id: null,
    external_user: null,
    external_key_hash: null,
    rate_limit: null,
    host_rate_limit: null,
    ...changes
  }
}
