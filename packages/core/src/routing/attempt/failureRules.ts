/** What each kind of failure means for the request and for the health of the endpoint. */
import { type FieldNames, checkFieldNames } from "../../values/validation/checkFieldNames.ts"
import type { Outcome } from "../../engine/health/Outcome.ts"
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"

/** What a kind of failure means, such as `{ fallback: true, health: "failure" }`. */
export interface FailureRule {
  /** Whether the next candidate of its model is tried; the request's other models are tried in any case. */
  readonly fallback: boolean
  /** How it counts for the health of the endpoint; faults of the request do not count. */
  readonly health: Exclude<Outcome["result"], "success">
}

const ruleFields: FieldNames<FailureRule> = { fallback: true, health: true }

/** The rule of each kind of failure. */
export type FailureRules = Readonly<Record<FailureKind, FailureRule>>

const fallBack: FailureRule = { fallback: true, health: "failure" }
const fallBackUncounted: FailureRule = { fallback: true, health: "ignored" }
const stop: FailureRule = { fallback: false, health: "ignored" }

/** The rules of an instance that overrides none; `failureRules.timeout.fallback` is true. */
export const failureRules: FailureRules = {
  unreachable: fallBack,
  timeout: fallBack,
  rate_limited: { fallback: true, health: "rate_limited" },
  overloaded: fallBack,
  server_error: fallBack,
  credential_refused: fallBack,
  forbidden: fallBackUncounted,
  not_served: fallBack,
  bad_request: stop,
  context_length: fallBackUncounted,
  unsupported_parameter: fallBackUncounted,
  content_refused: stop,
  invalid_answer: { fallback: true, health: "invalid_answer" },
  defect: fallBack
}

/** The rules that a host overrides. */
export type FailureOverrides = Readonly<Partial<Record<FailureKind, Partial<FailureRule>>>>

export const applyFailureOverrides = (overrides: FailureOverrides): FailureRules => {
  const unknown = Object.keys(overrides).find((kind) => !Object.hasOwn(failureRules, kind))
  if (unknown !== undefined) throw new RangeError(`failureRules.${unknown} is no kind of failure`)
  for (const [kind, rule] of Object.entries(overrides)) {
    checkFieldNames(rule, "field of a failure rule", ruleFields, `failureRules.${kind}: `)
  }
  return {
    ...failureRules,
    ...Object.fromEntries(
      Object.entries(failureRules).flatMap(([kind, rule]) => {
        const override = overrides[kind as FailureKind]
        return override === undefined ? [] : [[kind, { ...rule, ...override }]]
      })
    )
  }
}
