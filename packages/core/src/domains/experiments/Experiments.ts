/** Runs the host's experiments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CapabilityTraits, RouteQuery } from "../../routing/RouteQuery.ts"
import type { RequestLabels } from "../../routing/record/toGeneration.ts"
import type { Actor } from "../../values/Actor.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { Experiment } from "./Experiment.ts"
import type { ExperimentReport } from "./makeExperimentRuns.ts"
import type { Participation } from "./makeParticipations.ts"

/** What runs the experiments of a host. */
export interface ExperimentsShape {
  /** Undefined for a request that takes part in none. */
  readonly enter: <Capability extends CapabilityTraits>(
    query: RouteQuery<Capability>,
    labels: RequestLabels,
    id: GenerationId
  ) => Participation<Capability> | undefined
  /** Every experiment, in the order of the option, with everything that this process has measured. */
  readonly list: Effect.Effect<ReadonlyArray<ExperimentReport>>
  /** Starts an ended experiment anew, with its whole budget. A running experiment is returned unchanged. */
  readonly restart: (actor: Actor, id: string) => Effect.Effect<ExperimentReport, ResourceNotFound>
  /** Ends a running experiment. An ended experiment is returned unchanged. */
  readonly stop: (actor: Actor, id: string) => Effect.Effect<ExperimentReport, ResourceNotFound>
}

const findNothing = (_: Actor, id: string) =>
  Effect.fail(new ResourceNotFound({ resource: "experiment", id }))

const noExperiments: ExperimentsShape = {
  enter: () => undefined,
  list: Effect.succeed([]),
  restart: findNothing,
  stop: findNothing
}

/** The experiments of `Options.experiments`, or none. */
export const Experiments: Context.Reference<ExperimentsShape> = Context.Reference(
  "@signalbox/core/domains/experiments/Experiments",
  { defaultValue: () => noExperiments }
)

const loadExperiments = loadOnce(() => import("./makeExperiments.ts"))

/** Runs experiments, whose ids are unique. */
export const layerExperiments = (experiments: ReadonlyArray<Experiment>) =>
  Layer.effect(
    Experiments,
    experiments.length === 0
      ? Effect.succeed(noExperiments)
      : Effect.flatMap(loadExperiments(), ({ makeExperiments }) => makeExperiments(experiments))
  )
