/** Runs the host's experiments. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { CapabilityTraits, RouteQuery } from "../../routing/RouteQuery.ts"
import { makeRandom } from "../../routing/plan/makeRandom.ts"
import type { RequestLabels } from "../../routing/record/toGeneration.ts"
import type { Actor } from "../../values/Actor.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { Experiment } from "./Experiment.ts"
import { ExperimentTrack } from "./ExperimentTrack.ts"
import { type ExperimentReport, makeExperimentRuns } from "./makeExperimentRuns.ts"
import {
  type ExperimentMatch,
  makeParticipations,
  type Participation
} from "./makeParticipations.ts"

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

const makeExperiments = Effect.fnUntraced(function* (experiments: ReadonlyArray<Experiment>) {
  const catalog = yield* Catalog
  const { makeCanary, makeShadow } = yield* makeParticipations
  const tracks = experiments.map((experiment) => new ExperimentTrack(experiment))
  const runs = yield* makeExperimentRuns(tracks)

  /** The experiments that a request may take part in, with the models of both sides. */
  const findMatches = (query: RouteQuery<CapabilityTraits>): ReadonlyArray<ExperimentMatch> => {
    const configuration = catalog.current()
    const requested = configuration.resolve(query.models[0])?.model.id
    if (requested === undefined) return []
    return tracks.flatMap((track) => {
      const { match, to } = track.experiment
      const { account = query.caller.account, operation = query.operation } = match
      // A model that has left the catalog must not fail a request.
      const tried = configuration.resolve(to)?.model
      // The budget of a trial is that of one model.
      const trial = tried?.router === undefined ? tried?.id : undefined
      return trial !== undefined &&
        track.state?.status === "running" &&
        operation === query.operation &&
        account === query.caller.account &&
        configuration.resolve(match.model)?.model.id === requested
        ? [{ track, requested, trial }]
        : []
    })
  }

  const made: ExperimentsShape = {
    ...runs,
    enter: (query, labels, id) => {
      const conversation = labels.session_id ?? labels.user ?? id
      const matches = findMatches(query)
      const isIn = ({ track: { experiment } }: ExperimentMatch) =>
        isDrawn(experiment.id, experiment.share, query.caller.account, conversation)
      const canary = matches.find(({ track }) => track.experiment.mode === "canary")
      if (canary !== undefined && isIn(canary)) return makeCanary(canary, query, true)
      const control = canary && makeCanary(canary, query, false)
      const shadow = matches.find(
        (match) => match.track.experiment.mode === "shadow" && isIn(match)
      )
      if (shadow === undefined) return control
      const copied = makeShadow(shadow, query)
      return control === undefined
        ? copied
        : {
            ...control,
            ...copied,
            count: (attempts, startedAt) => {
              copied.count(attempts, startedAt)
              control.count(attempts, startedAt)
            }
          }
    }
  }
  return made
})

/** Runs experiments, whose ids are unique. */
export const layerExperiments = (experiments: ReadonlyArray<Experiment>) =>
  Layer.effect(
    Experiments,
    experiments.length === 0 ? Effect.succeed(noExperiments) : makeExperiments(experiments)
  )

/**
 * Draws `share` of all conversations. One conversation has the same result in every process and for every request, and
 * one that takes part still does when the share grows.
 */
export const isDrawn = (
  experiment: string,
  share: number,
  account: string,
  conversation: string
): boolean => makeRandom(Hash.string(JSON.stringify([experiment, account, conversation])))() < share
