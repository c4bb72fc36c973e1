/** Enforces how many tokens callers use, and how many requests they run in parallel. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import * as Step from "../../../values/Step.ts"
import { RateLimited } from "../AuthErrors.ts"
import { type Caller, combineLimits } from "../Caller.ts"
import type { TokenRateLimit } from "../keys/ApiKey.ts"
import { ParallelSlots } from "./ParallelSlots.ts"
import { RateLimits } from "./RateLimits.ts"
import type { RateLimitWindow } from "./RateLimitStore.ts"
import { type CallLimit, listCallLimits, toCustomerKey, toOwnerKey } from "./RequestLimiter.ts"

/** What a running request has taken. */
export interface TakenUsage {
  /** Gives the slots back, and corrects the tokens to those that the request used. Never fails. */
  readonly end: (usedTokens: number) => Effect.Effect<void>
}

/** Rejects requests of callers that use too many tokens, or run too many requests at a time. */
export class UsageLimiter extends Context.Service<
  UsageLimiter,
  {
    /** The limits of the caller and whether there is room now. Nothing is taken. */
    readonly report: (caller: Caller) => Effect.Effect<ReadonlyArray<UsageReport>>
    /** What is left of the caller's limits on calls, which `RequestLimiter` enforces. Nothing is taken. */
    readonly reportCalls: (caller: Caller) => Effect.Effect<ReadonlyArray<CallReport>>
    /** Whether the caller has such limits. */
    readonly isLimited: (caller: Caller) => boolean
    /**
     * Takes from all limits of the caller or from none. Call it in an uninterruptible region, so that nothing that was
     * taken gets lost.
     */
    readonly begin: (
      caller: Caller,
      /**
       * What the request may use, as far as that is known before it runs. Providers reserve the longest answer, too, and
       * give the rest back: https://learn.microsoft.com/en-us/answers/questions/1381398/question-about-max-tokens-per-minute-in-azure-open.
       */
      tokens: number
    ) => Effect.Effect<TakenUsage, RateLimited>
  }
>()("@signalbox/core/tenants/auth/rateLimits/UsageLimiter") {
  static readonly layer = Layer.effect(
    UsageLimiter,
    Effect.gen(function* () {
      const settings = yield* Settings
      const clock = yield* Clock.Clock
      const store = yield* RateLimits
      const slots = yield* ParallelSlots
      const takeSlot = (limit: UsageLimit & { readonly kind: "slots" }) =>
        Step.flatMap(
          slots.take(limit.key, limit.slots),
          (release): Effect.Effect<Taken, RateLimited> =>
            release === undefined
              ? Effect.fail(toRateLimited(limit, limit.slots, retryMillis))
              : Effect.succeed(release)
        )

      const takeTokens = (limit: UsageLimit & { readonly kind: "tokens" }, tokens: number) =>
        Step.flatMap(
          store.takeTokens(limit.key, limit.limit, tokens),
          (retryAfterMillis): Effect.Effect<Taken, RateLimited> =>
            retryAfterMillis === 0
              ? Effect.succeed((used) =>
                  used === tokens
                    ? Effect.void
                    : store.addTokens(limit.key, limit.limit, used - tokens)
                )
              : Effect.fail(toRateLimited(limit, limit.limit.tokens, retryAfterMillis))
        )

      const toRateLimited = (
        { holder, kind }: UsageLimit,
        limit: number,
        retryAfterMillis: number
      ): RateLimited =>
        new RateLimited({
          limit,
          retryAfterMillis,
          resetAt: clock.currentTimeMillisUnsafe() + retryAfterMillis,
          counts: kind,
          ...(holder === undefined ? undefined : { holder })
        })

      /** Takes from one limit after the other; what was taken is given back when a later one has no room. */
      const takeAll = (
        limits: ReadonlyArray<UsageLimit>,
        tokens: number,
        taken: ReadonlyArray<Taken>
      ): Effect.Effect<TakenUsage, RateLimited> => {
        const limit = limits[taken.length]
        if (limit === undefined) return Effect.succeed({ end: (used) => endAll(taken, used) })
        return Step.catchError(
          Step.flatMap(
            limit.kind === "slots" ? takeSlot(limit) : takeTokens(limit, tokens),
            (next) => takeAll(limits, tokens, [...taken, next])
          ),
          (error) => Step.flatMap(endAll(taken, 0), () => Effect.fail(error))
        )
      }

      const reportOne = (usage: UsageLimit): Effect.Effect<UsageReport> =>
        usage.kind === "slots"
          ? Effect.succeed({
              ...usage,
              running: slots.countHeld(usage.key),
              retryAfterMillis: slots.countHeld(usage.key) < usage.slots ? 0 : retryMillis
            })
          : // No tokens are taken, so this only asks.
            Effect.map(store.takeTokens(usage.key, usage.limit, 0), (retryAfterMillis) => ({
              ...usage,
              retryAfterMillis
            }))

      return {
        report: (caller) => Effect.forEach(listUsageLimits(caller, settings), reportOne),
        reportCalls: (caller) =>
          Effect.forEach(listCallLimits(caller, settings.rateLimit), (limit) =>
            Effect.map(store.readWindow(limit.key, limit.limit), (window) => ({
              ...limit,
              ...window
            }))
          ),
        isLimited: (caller) => isUsageLimited(caller, settings),
        begin: (caller, tokens) => takeAll(listUsageLimits(caller, settings), tokens, [])
      }
    })
  )
}

/** Ends what was taken of one limit. */
type Taken = (usedTokens: number) => Effect.Effect<void>

const endAll = (taken: ReadonlyArray<Taken>, usedTokens: number): Effect.Effect<void> => {
  let ended: Effect.Effect<void> = Effect.void
  for (const end of taken) ended = Step.flatMap(ended, () => end(usedTokens))
  return ended
}

/** Most requests end within seconds. */
const retryMillis = 1_000

/** A limit, and the key under which it is counted. */
type UsageLimit = {
  readonly key: string
  /** Whose requests count together; absent: those of the key, or of the user. */
  readonly holder?: "account" | "customer"
} & (
  | { readonly kind: "slots"; readonly slots: number }
  | { readonly kind: "tokens"; readonly limit: TokenRateLimit }
)

/** A limit, and whether there is room now. */
export type UsageReport = UsageLimit & {
  /** For slots: those that requests of this process hold. */
  readonly running?: number
  /** 0: there is room. */
  readonly retryAfterMillis: number
}

/** A limit on calls, and what is left of it. */
export type CallReport = CallLimit & RateLimitWindow

type UsageSettings = Pick<
  SettingsShape,
  | "accountTokenRateLimit"
  | "maxParallelRequests"
  | "maxParallelRequestsPerAccount"
  | "tokenRateLimit"
>

/** Whether there is any. */
const isUsageLimited = (caller: Caller, settings: UsageSettings): boolean =>
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
const listUsageLimits = (caller: Caller, settings: UsageSettings): ReadonlyArray<UsageLimit> => [
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
