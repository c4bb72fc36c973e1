/** Handlers of the experiment operations. */
import * as Effect from "effect/Effect"
import type { Handlers } from "../operation/Handler.ts"
import { Experiments } from "../../domains/experiments/Experiments.ts"
import type { ExperimentReport } from "../../domains/experiments/makeExperimentRuns.ts"
import { type ExperimentsApi, toExperimentResponse } from "./ExperimentsApi.ts"

export const experimentsHandlers = Effect.gen(function* () {
  const { list, restart, stop } = yield* Experiments
  return {
    list: () => Effect.map(list, (reports) => ({ data: reports.map(toExperimentResponse) })),
    restart: ({ params }, { caller }) => Effect.map(restart(caller, params.id), toData),
    stop: ({ params }, { caller }) => Effect.map(stop(caller, params.id), toData)
  } satisfies Handlers<typeof ExperimentsApi>
})

const toData = (report: ExperimentReport) => ({ data: toExperimentResponse(report) })
