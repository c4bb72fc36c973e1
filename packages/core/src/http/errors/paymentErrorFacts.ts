/** The error of a spending limit: 402 for credits and key limits, 403 for budgets that others set. */
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"

const toLimitExceededFacts = ({
  amount,
  available,
  limit: { cap, endsAt, interval, kind },
  reductionHint
}: LimitExceeded): ErrorFacts => {
  const isPayment = kind === "credits" || kind === "key"
  const need = `may cost up to ${formatUsd(amount)} USD, but only ${formatUsd(available)} USD are`
  const advice = formatAdvice(reductionHint)
  return {
    status: isPayment ? 402 : 403,
    message:
      kind === "credits"
        ? `This request requires more credits: it ${need} available${advice}`
        : `${limitNames[kind]} exceeded (${interval === "lifetime" ? "total" : interval} limit of ` +
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
      reserved_output_tokens: reductionHint?.outputTokens,
      affordable:
        reductionHint?.affordableTokens === undefined
          ? undefined
          : { [reductionHint.parameter]: reductionHint.affordableTokens }
    },
    internChat: { ...turnFailed, status: 403 }
  }
}

export const paymentErrorFacts: ErrorTable<LimitExceeded> = { LimitExceeded: toLimitExceededFacts }

const limitNames = {
  key: "Key limit",
  workspace: "Workspace budget",
  guardrail: "Guardrail budget",
  experiment: "Budget of the experiment"
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
