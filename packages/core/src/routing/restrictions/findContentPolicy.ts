/** Whether the content of a request may be kept, and whether anything may read it once the request has ended. */
import * as Effect from "effect/Effect"
import { constFalse, constTrue } from "effect/Function"
import { ObservabilityPreferences } from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import type { ContentPolicy } from "../../engine/observability/broadcast/Sink.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { ContentKeeping } from "../../tenants/workspaces/ContentKeeping.ts"
import { evaluate, isSuccess } from "../../values/eager.ts"
import type { Preferences } from "../Preferences.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery } from "../RouteQuery.ts"
import type { Constraint } from "./Constraint.ts"

/**
 * Forbidding wins: a guardrail that forbids it, or zero data retention and no data collection, no matter who demands them. Then a
 * guardrail that wants it. Otherwise the workspace decides.
 */
export const findContentPolicy = (
  { constraints, escalation, models }: Pick<PlannedRoute, "constraints" | "escalation" | "models">,
  { data_collection, zdr }: Preferences
): ContentPolicy => {
  if (zdr === true || data_collection === "deny") return "forbidden"
  const all = escalation === undefined ? models : [...models, ...escalation.models]
  let policy: ContentPolicy = "unset"
  for (const constraint of constraints) {
    if (forbidsContent(constraint, all)) return "forbidden"
    if (constraint.keepContent === true) policy = "wanted"
  }
  return policy
}

const forbidsContent = (
  { denyDataCollection, keepContent, zdr, zdrAuthors }: Constraint,
  models: ReadonlyArray<string>
): boolean =>
  keepContent === false ||
  zdr === true ||
  denyDataCollection === true ||
  (zdrAuthors !== undefined &&
    models.some((model) => {
      const [author = ""] = model.toLowerCase().split("/")
      return zdrAuthors.authors.includes(author) !== zdrAuthors.isAllBut
    }))

/** A request for which it is false need not collect the answer that it streams. */
type ContentPredicate = (
  query: Pick<RouteQuery<CapabilityTraits>, "caller" | "preferences">
) => boolean

/**
 * Whether anything may read the content of a request once it has ended, as far as that is known before it is routed.
 * Waits for nothing: what must be loaded first counts as true.
 */
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
