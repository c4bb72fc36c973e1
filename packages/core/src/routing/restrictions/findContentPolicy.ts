/** Whether the content of a request may be kept. Pure. */
import type { ContentPolicy } from "../../engine/observability/broadcast/Sink.ts"
import type { Preferences } from "../Preferences.ts"
import type { PlannedRoute } from "../RouteQuery.ts"
import type { Constraint } from "./Constraint.ts"

/**
 * Forbidding wins: a guardrail that forbids it, or zero data retention and no data collection, whoever demands them. Then a
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
