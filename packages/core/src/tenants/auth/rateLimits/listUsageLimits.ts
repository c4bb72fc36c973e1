/** The limits of tokens and of parallel requests that a caller has. */
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Caller } from "../Caller.ts"
import type { TokenRateLimit } from "../keys/ApiKey.ts"
import { combineLimits } from "./combineLimits.ts"
import { toCustomerKey, toOwnerKey } from "./toOwnerKey.ts"

/** A limit, and the key under which it is counted. */
export type UsageLimit = {
  readonly key: string
  /** Whose requests count together; absent: those of the key, or of the user. */
  readonly holder?: "account" | "customer"
} & (
  | { readonly kind: "slots"; readonly slots: number }
  | { readonly kind: "tokens"; readonly limit: TokenRateLimit }
)

type UsageSettings = Pick<
  SettingsShape,
  | "accountTokenRateLimit"
  | "maxParallelRequests"
  | "maxParallelRequestsPerAccount"
  | "tokenRateLimit"
>

/** Whether there is any. */
export const isUsageLimited = (caller: Caller, settings: UsageSettings): boolean =>
  caller.bundle?.tokenRateLimit !== undefined ||
  caller.bundle?.maxParallelRequests !== undefined ||
  (!isApplication(caller) &&
    (settings.tokenRateLimit !== undefined ||
      settings.maxParallelRequests !== undefined ||
      settings.accountTokenRateLimit !== undefined ||
      settings.maxParallelRequestsPerAccount !== undefined ||
      caller.tokenRateLimit !== undefined ||
      caller.ownTokenRateLimit !== undefined ||
      caller.maxParallelRequests !== undefined ||
      caller.ownMaxParallelRequests !== undefined))

/** The application itself has no limits but those of the customer that it names. */
const isApplication = ({ keyHash, kind, user }: Caller): boolean =>
  kind === "host" && keyHash === undefined && user === undefined

/** Slots first, because they are given back as they were. Key management can only tighten the limits of the host. */
export const listUsageLimits = (
  caller: Caller,
  settings: UsageSettings
): ReadonlyArray<UsageLimit> => [
  ...listSlotLimits(caller, settings),
  ...listTokenLimits(caller, settings)
]

const listSlotLimits = (
  caller: Caller,
  { maxParallelRequests, maxParallelRequestsPerAccount }: UsageSettings
): ReadonlyArray<UsageLimit> => {
  const limits: Array<UsageLimit> = []
  const add = (owner: string, slots: number | undefined, holder?: "account" | "customer") => {
    if (slots === undefined || slots === Infinity) return
    limits.push({
      key: `slots:${owner}`,
      kind: "slots",
      slots,
      ...(holder === undefined ? undefined : { holder })
    })
  }
  add(toCustomerKey(caller), caller.bundle?.maxParallelRequests, "customer")
  if (isApplication(caller)) return limits
  const ofHost = caller.maxParallelRequests ?? maxParallelRequests ?? Infinity
  add(toOwnerKey(caller), Math.min(ofHost, caller.ownMaxParallelRequests ?? Infinity))
  add(`account:${caller.account}`, maxParallelRequestsPerAccount, "account")
  return limits
}

const listTokenLimits = (
  caller: Caller,
  { accountTokenRateLimit, tokenRateLimit }: UsageSettings
): ReadonlyArray<UsageLimit> => {
  const limits: Array<UsageLimit> = []
  const add = (
    owner: string,
    limit: TokenRateLimit | undefined,
    holder?: "account" | "customer"
  ) => {
    if (limit === undefined) return
    limits.push({
      // Windows of different lengths are counted separately.
      key: `tokens:${owner}:${limit.windowMillis}`,
      kind: "tokens",
      limit,
      ...(holder === undefined ? undefined : { holder })
    })
  }
  add(toCustomerKey(caller), caller.bundle?.tokenRateLimit, "customer")
  if (isApplication(caller)) return limits
  const owner = toOwnerKey(caller)
  const ofHost = caller.tokenRateLimit ?? tokenRateLimit
  for (const limit of combineLimits(caller.ownTokenRateLimit, ofHost, toTokens)) {
    add(owner, limit)
  }
  add(`account:${caller.account}`, accountTokenRateLimit, "account")
  return limits
}

const toTokens = ({ tokens }: TokenRateLimit): number => tokens
