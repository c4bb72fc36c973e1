/** Requests a Decision in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import type { Question } from "../../questions/Question.ts"
import { parseWithPreset } from "../presets/namesPreset.ts"
import type { PresetUnavailable } from "../presets/Preset.ts"
import { Presets } from "../presets/Presets.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../instance/Settings.ts"
import type { DecideRequest, DecideResult } from "./Decision.ts"
import type { RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { type DecisionError, Decisions } from "./Decisions.ts"
import { decodeDecisionRequest } from "./parseDecisionRequest.ts"
import * as Step from "../../values/Step.ts"

type Questions = Readonly<Record<string, Question>>

/** How `decide` fails. */
type DecideError = CustomerRefused | DecisionError | PresetUnavailable | RequestTooLarge

/**
 * Answers the questions of `request` for `caller` (default: the application itself). What JSON cannot express is
 * an `InvalidRequest`.
 */
export const decide = <const Q extends Questions>(
  request: DecideRequest<Q>,
  caller?: CallerConfig
): Effect.Effect<DecideResult<Q>, DecideError, Callers | Decisions | Presets> =>
  Effect.contextWith((services: Context.Context<Callers | Decisions | Presets>) =>
    makeDecide(services)(request, caller)
  )

/** `decide` that begins when it is called. */
export const makeDecide = (services: Context.Context<Callers | Decisions | Presets>) => {
  const callers = Context.get(services, Callers)
  const decisions = Context.get(services, Decisions)
  const presets = Context.get(services, Presets)
  const settings = Context.get(services, Settings)
  return <const Q extends Questions>(
    request: DecideRequest<Q>,
    caller?: CallerConfig,
    observer?: RouteObserver
  ): Effect.Effect<DecideResult<Q>, DecideError> =>
    Step.flatMap(resolveCallerWith(callers, caller), (resolved) =>
      Step.flatMap(
        parseWithPreset(request, settings, decodeDecisionRequest, {
          api: "decisions",
          caller: resolved,
          presets
        }),
        // `checkReply` returns an answer to each of these questions, but their types do not follow from JSON.
        (parsed) =>
          decisions.submit(resolved, parsed, observer) as Effect.Effect<
            DecideResult<Q>,
            DecisionError
          >
      )
    )
}
