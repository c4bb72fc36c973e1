/** The error of a spending limit: 402 for credits and key limits, 403 for budgets that others set. */
import type { Limit, LimitKind } from "../../engine/ledger/Limit.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { toRetryAfterHeader } from "./retryAfterHeader.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"

const toLimitExceededFacts = ({
  amount,
  available,
  held,
  limit: { cap, endsAt, interval, kind, subject },
  readableTokens,
  reductionHint
}: LimitExceeded): ErrorFacts => {
  const isPayment = kind === "credits" || kind === "key"
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
        : `${nameLimit(kind, subject)} exceeded (${interval === "lifetime" ? "total" : interval} limit of ` +
          `${formatUsd(cap)} USD): the request ${need} left${advice}`,
    type: isPayment ? "payment_required" : "permission_denied",
    details: {
      ...(kind === "credits"
        ? undefined
        : {
            limit: kind,
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
  experiment: "Budget of the experiment"
}

/** A user of the host's own authentication, and the application itself, have limits without a key. */
const nameLimit = (kind: Exclude<LimitKind, "credits">, subject: Limit["subject"]): string => {
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
