/** The limit that the budget of an experiment sets. */
import { type Limit, resolveLimit } from "../../engine/ledger/Limit.ts"
import type { Experiment } from "./Experiment.ts"

/** Each run has its own budget. Empty without one. */
export const toBudgetLimits = (
  { budget, id }: Pick<Experiment, "budget" | "id">,
  run: number
): ReadonlyArray<Limit> =>
  budget === undefined
    ? []
    : [
        resolveLimit(0, {
          kind: "experiment",
          id: `${id}/${run}`,
          interval: "lifetime",
          cap: budget,
          countsByok: true
        })
      ]
