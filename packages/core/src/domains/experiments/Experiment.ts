/** An experiment of the host: another model for part of the requests, instead of theirs or besides it. */
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import { AccountId } from "../../values/ids/Ids.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

/** The operations that experiments can take part in. */
export const experimentOperations = ["decisions", "chat"] as const

const BudgetUsd = Schema.Union([
  Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  Schema.String.check(
    Schema.isPattern(/^\d{1,9}(\.\d+)?$/, { expected: "a decimal number of USD" })
  )
])

const Match = Schema.Struct({
  /** The requested model, by its slug or an alias. */
  model: Schema.NonEmptyString,
  /** Default: Decisions and chats. */
  operation: Schema.optionalKey(Schema.Literals(experimentOperations)),
  /** The id of the only account that takes part; default: all. */
  account: Schema.optionalKey(AccountId)
})

/** An entry of `Options.experiments`, decoded. */
export const ExperimentOption = Schema.Struct({
  match: Match,
  /** The model on trial, by its slug or an alias. */
  to: Schema.NonEmptyString,
  /**
   * `canary`: the model on trial answers the share, and the requested model where that fails. `shadow`: the model on
   * trial gets a copy of the share after the caller has its answer; its own answer is only measured.
   */
  mode: Schema.Literals(["canary", "shadow"]),
  /** The share of the conversations that take part, above 0 and at most 1; a canary stays below 1. */
  share: Schema.Finite.check(
    Schema.makeFilter((share: number) => (share > 0 && share <= 1) || "a number above 0, at most 1")
  ),
  /**
   * What the model on trial may cost in all, in USD; shadows need it. The most that an attempt may cost is reserved before it
   * is made, over all processes with the same stores. A canary ends when it has spent it, or too little is left for an attempt.
   */
  budgetUsd: Schema.optionalKey(BudgetUsd)
})

/** An experiment of `ExperimentOption`. */
export interface Experiment extends Omit<typeof ExperimentOption.Type, "budgetUsd"> {
  /** Eight characters that follow from `mode`, `match` and `to`: a change of the share or the budget keeps them. */
  readonly id: string
  readonly budget?: NanoUsd.NanoUsd
}

export const makeExperiment = ({
  budgetUsd,
  ...option
}: typeof ExperimentOption.Type): Experiment => ({
  ...option,
  id: deriveId(option),
  ...(budgetUsd === undefined ? undefined : { budget: toNanoUsd(budgetUsd) })
})

/** Why an experiment cannot run; undefined when it can. */
export const findExperimentProblem = ({
  budget,
  match,
  mode,
  share,
  to
}: Experiment): string | undefined => {
  if (to === match.model) return "to: must be another model than match.model"
  if (mode === "canary" && share === 1) {
    return "share: must be below 1, because a canary is compared with the requests that stay"
  }
  if (mode === "shadow" && budget === undefined) {
    return "budgetUsd: is missing, although shadow requests need a budget: the host pays for them"
  }
  return undefined
}

const deriveId = ({ match, mode, to }: Omit<typeof ExperimentOption.Type, "budgetUsd">): string => {
  const identity = JSON.stringify([mode, match.model, match.operation, match.account, to])
  return (Hash.string(identity) >>> 0).toString(16).padStart(8, "0")
}

const toNanoUsd = (usd: number | string): NanoUsd.NanoUsd =>
  typeof usd === "number" ? NanoUsd.fromUsdNumber(usd) : NanoUsd.parseUsd(usd)
