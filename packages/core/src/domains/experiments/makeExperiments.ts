/** Runs experiments, which few hosts have: it is loaded for those. */
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { CapabilityTraits, RouteQuery } from "../../routing/RouteQuery.ts"
import { makeRandom } from "../../routing/plan/makeRandom.ts"
import type { Experiment } from "./Experiment.ts"
import type { ExperimentsShape } from "./Experiments.ts"
import { ExperimentTrack } from "./ExperimentTrack.ts"
import { makeExperimentRuns } from "./makeExperimentRuns.ts"
import { type ExperimentMatch, makeParticipations } from "./makeParticipations.ts"

export const makeExperiments = Effect.fnUntraced(function* (
  experiments: ReadonlyArray<Experiment>
) {
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
