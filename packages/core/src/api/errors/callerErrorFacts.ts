/** What the errors of callers, their limits and their credits mean. */
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Limit, LimitKind } from "../../engine/ledger/Limit.ts"
import type {
  CrossOriginRequest,
  CustomerRefused,
  NotPermitted,
  RateLimited,
  Unauthenticated,
  WorkspaceNotFound
} from "../../tenants/auth/AuthErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"
import { toRetryAfterHeader } from "./responseHeaders.ts"

export const missingKeyMessage = "Missing Authentication header"
const internKeyMessage = "Invalid or missing API key"

type AuthError =
  | CrossOriginRequest
  | CustomerRefused
  | NotPermitted
  | Unauthenticated
  | WorkspaceNotFound

/** Errors of authentication and permissions. */
export const authErrorFacts: ErrorTable<AuthError> = {
  Unauthenticated: ({ reason }) => ({
    status: 401,
    ...(reason === "missing_key"
      ? { message: missingKeyMessage }
      : { message: "The API key is unknown, disabled or expired", reason }),
    intern: { message: internKeyMessage },
    internChat: { message: internKeyMessage }
  }),
  NotPermitted: ({ needs }) => ({ status: 403, message: permissionMessages[needs] }),
  CrossOriginRequest: ({ origin }) => ({
    status: 403,
    reason: "cross_origin",
    message:
      `A page of ${nameOrigin(origin)} sent this request, with neither a key nor a token. Send one in ` +
      "Authorization. If the page is yours, the application lists its origin in settings.trustedOrigins"
  }),
  // The host's mistake, but clients repeat a 5xx, and nothing changes until the host fixes it.
  WorkspaceNotFound: ({ workspace }) => ({
    status: 403,
    message: `The workspace ${JSON.stringify(workspace)} that the application put this caller into does not exist`
  }),
  CustomerSuspended: ({ customer, reason }) => ({
    status: 403,
    message: `The customer ${customer} is suspended${reason === null ? "" : `: ${reason}`}`,
    reason: "customer_suspended",
    retryable: false
  }),
  // Another process may have it, and so may this one after its restart.
  BundleUnknown: ({ bundle }) => ({
    status: 503,
    message: `This process has no bundle ${JSON.stringify(bundle)}: deploy the code that has it, or move the customer to another bundle`,
    reason: "bundle_unknown",
    retryable: true
  })
}

/** A browser hides the origin of some pages, and a client may have written anything. */
const nameOrigin = (origin: string | undefined): string =>
  origin !== undefined && /^https?:\/\/[\w.:[\]-]{1,253}$/i.test(origin)
    ? `the origin ${origin}`
    : "another origin"

const permissionMessages: Readonly<Record<NotPermitted["needs"], string>> = {
  "a management key": "Only management keys can perform this operation",
  "a management key of the host's own account":
    "Only management keys of the host's own account can perform this operation",
  "a management key for a weight above 1":
    "Only management keys can label with a weight above 1; leave it out",
  "a management key for the Decision of another caller":
    "Only management keys can label a Decision that another caller asked for",
  "a member or organization key":
    "Management keys cannot run models; use a member or organization key",
  "a key of a workspace": "Management keys are of no workspace; use a member or organization key"
}

/** The error of a caller's rate limit, with `X-RateLimit-*` and `Retry-After`. */
export const rateLimitErrorFacts: ErrorTable<RateLimited> = {
  RateLimited: ({ counts, holder = "key", limit, resetAt, retryAfterMillis }) => {
    const headers = {
      ...(counts === "slots"
        ? undefined
        : {
            "x-ratelimit-limit": String(limit),
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": String(resetAt)
          }),
      ...toRetryAfterHeader(retryAfterMillis)
    }
    return {
      status: 429,
      message:
        counts === "slots"
          ? `Too many requests at once: ${limit} may run in parallel for this ${holder}. Send another when one has ended`
          : `Rate limit exceeded: ${limit} ${counts ?? "requests"} per window for this ${holder}`,
      type: "rate_limit_exceeded",
      headers,
      openrouter: { details: { headers } }
    }
  }
}

const toLimitExceededFacts = ({
  amount,
  available,
  held,
  limit: { cap, endsAt, interval, kind, name, subject },
  readableTokens,
  reductionHint
}: LimitExceeded): ErrorFacts => {
  const isPayment = kind === "credits" || kind === "key" || kind === "budget"
  const need = `may cost up to ${formatUsd(amount)} USD, but only ${formatUsd(available)} USD are`
  // Once the running requests have ended, this one fits.
  const isBurst = held !== undefined && available + held.amount >= amount
  const advice =
    formatHeld(held, isBurst) + formatReading(readableTokens) + formatAdvice(reductionHint)
  return {
    status: isPayment ? 402 : 403,
    message:
      kind === "credits"
        ? `This request requires more credits: it ${need} available${advice}`
        : `${nameLimit(kind, subject, name)} exceeded (${interval === "lifetime" ? "total" : interval} limit of ` +
          `${formatUsd(cap)} USD): the request ${need} left${advice}`,
    type: isPayment ? "payment_required" : "permission_denied",
    details: {
      ...(kind === "credits"
        ? undefined
        : {
            limit: kind,
            ...(name === undefined ? undefined : { budget: name }),
            interval,
            limit_usd: NanoUsd.toUsdNumber(cap),
            resets_at: endsAt === Infinity ? undefined : new Date(endsAt).toISOString()
          }),
      required_usd: NanoUsd.toUsdNumber(amount),
      available_usd: NanoUsd.toUsdNumber(available),
      reserved_usd: held === undefined ? undefined : NanoUsd.toUsdNumber(held.amount),
      running_requests: held?.reservations,
      retry_after_seconds: isBurst ? retryAfterMillis / 1_000 : undefined,
      reserved_output_tokens: reductionHint?.outputTokens,
      affordable:
        reductionHint?.affordableTokens === undefined
          ? undefined
          : { [reductionHint.parameter]: reductionHint.affordableTokens }
    },
    ...(isBurst ? { headers: toRetryAfterHeader(retryAfterMillis) } : undefined),
    internChat: { ...turnFailed, status: 403 }
  }
}

/** The error of a spending limit: 402 for credits, key limits and budgets of a scope, 403 for budgets that others set. */
export const paymentErrorFacts: ErrorTable<LimitExceeded> = { LimitExceeded: toLimitExceededFacts }

/** Most requests end within seconds, and then what they did not use is free. */
const retryAfterMillis = 5_000

const formatHeld = (held: LimitExceeded["held"], isBurst: boolean): string => {
  if (held === undefined) return ""
  const { amount, reservations } = held
  const requests = reservations === 1 ? "1 running request" : `${reservations} running requests`
  return `, and ${formatUsd(amount)} USD are reserved by ${requests}${isBurst ? ": retry when they have ended" : ""}`
}

const formatReading = (tokens: number | undefined): string =>
  tokens === undefined
    ? ""
    : `. Tools that the provider runs may read ${tokens} tokens: bound them by max_uses or max_tool_calls, or by serverTools of the endpoint`

const limitNames = {
  key: "Key limit",
  workspace: "Workspace budget",
  guardrail: "Guardrail budget",
  budget: "Budget",
  experiment: "Budget of the experiment"
}

/** A user of the host's own authentication, and the application itself, have limits without a key. */
const nameLimit = (
  kind: Exclude<LimitKind, "credits">,
  subject: Limit["subject"],
  name: string | undefined
): string => {
  if (name !== undefined) return `${limitNames[kind]} ${JSON.stringify(name)}`
  if (kind !== "key" || subject === undefined) return limitNames[kind]
  if (subject.startsWith('["member"')) return "User limit"
  return subject.startsWith('["host"') ? "Limit of the application" : limitNames[kind]
}

const formatAdvice = (hint: LimitExceeded["reductionHint"]): string => {
  if (hint === undefined) return ""
  const { affordableTokens, isSent, outputTokens, parameter } = hint
  const why = isSent
    ? `. ${outputTokens} tokens of answer are set aside`
    : `. It says no ${parameter}, so ${outputTokens} tokens of answer are set aside`
  return affordableTokens === undefined
    ? `${why}; no ${parameter} makes the prompt affordable`
    : `${why}: send ${parameter} of ${affordableTokens} or less`
}

/** In decimals, never as `1e-7`. */
const formatUsd = (amount: NanoUsd.NanoUsd): string =>
  NanoUsd.toUsdNumber(amount)
    .toFixed(9)
    .replace(/\.?0+$/, "")
