/** Finds which requests take about as long at an endpoint. */
import type { Requirements } from "../../Requirements.ts"
import type { RouteWork } from "../../RouteWork.ts"

/** Undefined: how long the work takes says nothing, because it does more than to answer. */
export const findLatencyKind = (
  { hedging }: Pick<RouteWork<never, unknown, unknown>, "hedging">,
  { requirements: { parameters } }: { readonly requirements: Pick<Requirements, "parameters"> }
): string | undefined =>
  hedging === undefined
    ? undefined
    : parameters.some(isReasoning)
      ? `${hedging.kind} with reasoning`
      : hedging.kind

/** A model that is asked to think first takes its time. */
const isReasoning = (parameter: string): boolean =>
  parameter === "reasoning" || parameter === "reasoning_effort"
