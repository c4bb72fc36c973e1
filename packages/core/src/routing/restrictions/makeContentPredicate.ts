/** Whether anything may read the content of a request once it has ended, as far as that is known before it is routed. */
import * as Effect from "effect/Effect"
import { constFalse, constTrue } from "effect/Function"
import { ObservabilityPreferences } from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { ContentKeeping } from "../../tenants/workspaces/ContentKeeping.ts"
import { evaluate, isSuccess } from "../../values/eager.ts"
import type { CapabilityTraits, RouteQuery } from "../RouteQuery.ts"

/** A request for which it is false need not collect the answer that it streams. */
type ContentPredicate = (
  query: Pick<RouteQuery<CapabilityTraits>, "caller" | "preferences">
) => boolean

/** Waits for nothing: what must be loaded first counts as true. */
export const makeContentPredicate = Effect.gen(function* (): Effect.fn.Return<
  ContentPredicate,
  never,
  Generations | Guardrails | ObservabilityPreferences
> {
  const { isIoLogEnabled } = yield* Generations
  const guardrails = yield* Guardrails
  const { isPossible } = yield* ContentKeeping
  const observability = yield* ObservabilityPreferences
  if (isIoLogEnabled) return constTrue
  if (!isPossible) return constFalse
  return ({ caller, preferences }) => {
    if (preferences.zdr === true || preferences.data_collection === "deny") return false
    const effective = evaluate(() => guardrails.listEffective(caller))
    if (!isSuccess(effective)) return true
    if (effective.value.some(({ keep_content }) => keep_content === false)) return false
    if (effective.value.some(({ keep_content }) => keep_content === true)) return true
    const preference = evaluate(() => observability.get(caller.account, caller.workspace))
    return !isSuccess(preference) || preference.value.kept !== undefined
  }
})
