/** Handlers of the experiment operations. */
import * as Effect from "effect/Effect"
import type { Handlers } from "../operation/Handler.ts"
import { Experiments } from "../../domains/experiments/Experiments.ts"
import type { ExperimentReport } from "../../domains/experiments/makeExperimentRuns.ts"
import { FeedbackStore } from "../../domains/feedback/FeedbackStore.ts"
import type { ExperimentsApi } from "./ExperimentsApi.ts"
import { toExperimentResponse } from "./toExperimentResponse.ts"

export const experimentsHandlers = Effect.gen(function* () {
  const { list, restart, stop } = yield* Experiments
  const feedbacks = yield* FeedbackStore

  const toResponse = (report: ExperimentReport) =>
    Effect.map(
      feedbacks.listByExperiment(report.experiment.id, report.state.startedAt),
      (feedback) => toExperimentResponse(report, feedback)
    )
  const toData = (report: ExperimentReport) => Effect.map(toResponse(report), (data) => ({ data }))

  return {
    list: () =>
      Effect.map(
        Effect.flatMap(list, (reports) => Effect.forEach(reports, toResponse)),
        (data) => ({ data })
      ),
    restart: ({ params }, { caller }) => Effect.flatMap(restart(caller, params.id), toData),
    stop: ({ params }, { caller }) => Effect.flatMap(stop(caller, params.id), toData)
  } satisfies Handlers<typeof ExperimentsApi>
})
