/** The sentences of an alert about a limit. Pure. */
import type { Limit } from "../../engine/ledger/Limit.ts"
import type { AlertLimit } from "../../engine/observability/alerts/Alert.ts"
import type { AlertThreshold } from "../../engine/observability/alerts/Threshold.ts"
import { shorten } from "../../values/validation/text.ts"
import type { LimitOwner } from "./findLimitOwner.ts"

/** Says which limit it is, its share, the amounts in USD, when it resets, and what to do. */
export const describeLimitAlert = (
  owner: LimitOwner,
  { interval, kind }: Pick<Limit, "interval" | "kind">,
  threshold: AlertThreshold,
  figures: AlertLimit
): string =>
  [
    `${nameLimit(owner, interval, kind)} ${describeThreshold(threshold, figures)}: ` +
      `${formatUsd(figures.settled)} of ${formatUsd(figures.limit)} USD are spent (${figures.percent} %).`,
    ...(figures.exhausted_at === null
      ? []
      : [`At this rate it is spent on ${formatTime(figures.exhausted_at)}.`]),
    figures.resets_at === null
      ? "It does not reset."
      : `It resets on ${formatTime(figures.resets_at)}.`,
    advise(kind, figures)
  ].join(" ")

const describeThreshold = (threshold: AlertThreshold, { forecast }: AlertLimit): string => {
  if ("percent" in threshold) return `has reached ${threshold.percent} %`
  if ("spent" in threshold) return `has reached ${formatUsd(threshold.spent)} USD`
  if ("remaining" in threshold) return `has ${formatUsd(threshold.remaining)} USD or less left`
  return "forecast" in threshold
    ? `will not last: its period ends at ${(forecast ?? 0).toFixed(2)} USD if it goes on like this`
    : "has refused a request, whose cost might have exceeded the rest"
}

const advise = (kind: string, { remaining, soft }: AlertLimit): string => {
  if (soft) return "It only warns: no request is refused."
  const raise = kind === "credits" ? "Grant credits" : "Raise the limit"
  return remaining === 0
    ? `${raise} to let requests through again.`
    : `${raise} or spend less; requests that may cost more than the rest are refused.`
}

const nameLimit = (
  { guardrail, keyName, name, user }: LimitOwner,
  interval: string,
  kind: string
): string => {
  const period = interval === "lifetime" ? "" : `${interval} `
  const what = name === null ? "" : ` ${quote(name)}`
  const spender =
    keyName !== null
      ? ` for key ${quote(keyName)}`
      : user !== null
        ? ` for user ${quote(user)}`
        : ""
  switch (kind) {
    case "credits":
      return "The credit of the account"
    case "workspace":
      return `The ${period}budget of workspace${what}`
    case "key":
      return keyName === null && user === null
        ? `The ${period}limit of the application`
        : `The ${period}limit of ${keyName === null ? "user" : "key"}${what}`
    case "guardrail":
      return `The ${period}budget of guardrail${what === "" ? ` ${guardrail}` : what}${spender}`
    case "budget":
      return `The ${period}budget${what}`
    case "experiment":
      return `The budget of experiment${what}`
    default:
      return `The ${period}${kind} limit${what}${spender}`
  }
}

/** Others choose the names. */
const quote = (name: string): string => JSON.stringify(shorten(name))

/** With cents at least, and up to nine decimals. */
const formatUsd = (usd: number): string => {
  const [whole = "0", decimals = ""] = usd.toFixed(9).split(".")
  return `${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`
}

/** `2026-11-23 at 04:05 UTC` */
const formatTime = (iso: string): string => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`
