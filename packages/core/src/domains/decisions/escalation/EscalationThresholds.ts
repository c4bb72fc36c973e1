/** The confidence below which answers of one model go to another, learned from the labels of an account. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Configuration } from "../../../engine/catalog/Configuration.ts"
import type { LabeledPair } from "../../calibration/joinPairs.ts"
import { Calibrations } from "../../calibration/Calibrations.ts"
import type { QuestionKind } from "../../calibration/CalibrationMap.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import { computeConfidence } from "./computeConfidence.ts"
import {
  type AnswerPair,
  type EscalationThreshold,
  findThreshold,
  minPairs
} from "./findThreshold.ts"

interface ThresholdQuery {
  readonly account: AccountId
  /** The model that answered first; a dated name where the provider reports one. */
  readonly model: string
  /** The other one, as requested, and its id in the catalog. */
  readonly to: ReadonlyArray<string>
  readonly kind: QuestionKind
  /** Keyed hash of the question; absent: it is too large to be labelled. */
  readonly question?: string
  /** The share of the accuracy of the other model to keep. */
  readonly share: number
  /** The version of the maps that calibrated the answer. */
  readonly version: number
}

type FindThreshold = (query: ThresholdQuery) => Effect.Effect<EscalationThreshold>

/**
 * The threshold of the question if it has enough labels, else the threshold of its kind. A label counts when the maps
 * of its account are read again: with the next fit, or after a minute.
 */
export const makeThresholdFinder = Effect.gen(function* () {
  const { listPairs } = yield* Calibrations

  const pairs = yield* Cache.makeWith(
    (key: string) => {
      const [account, kind, , model, to]: PairKey = JSON.parse(key)
      return listPairs(account, kind, { from: [model], to })
    },
    { capacity: 100, timeToLive: (exit) => (Exit.isSuccess(exit) ? cacheMillis : 0) }
  )
  const thresholds = yield* Cache.makeWith(
    (key: string): Effect.Effect<EscalationThreshold> => {
      const [question, share, ...pairKey]: ThresholdKey = JSON.parse(key)
      const kind = pairKey[1]
      return Effect.map(Cache.get(pairs, JSON.stringify(pairKey)), (found) => {
        const own = found.filter((pair) => pair.question === question)
        const used = own.length < minPairs ? found : own
        return findThreshold(
          used.map((pair) => toAnswerPair(kind, pair)),
          share
        )
      })
    },
    { capacity: 1_000, timeToLive: (exit) => (Exit.isSuccess(exit) ? cacheMillis : 0) }
  )

  const find: FindThreshold = ({ account, kind, model, question, share, to, version }) => {
    const key: ThresholdKey = [question ?? null, share, account, kind, version, model, to]
    return Effect.catchCause(Cache.get(thresholds, JSON.stringify(key)), (cause) =>
      Effect.as(
        Effect.logError("Without the labels, every question is asked again", cause),
        unavailable
      )
    )
  }
  return find
})

type PairKey = readonly [
  account: AccountId,
  kind: QuestionKind,
  version: number,
  model: string,
  to: ReadonlyArray<string>
]
type ThresholdKey = readonly [question: string | null, share: number, ...PairKey]

export const toAnswerPair = (kind: QuestionKind, pair: LabeledPair): AnswerPair => ({
  confidence: computeConfidence(kind, pair.probabilities),
  isRight: pair.isRight,
  isOtherRight: pair.isOtherRight
})

const unavailable: EscalationThreshold = {
  below: Infinity,
  tieShare: 1,
  reason: "labels_unavailable"
}

const cacheMillis = 60_000

/**
 * The names under which labels may have a model: the given one and the id in the catalog of the model that it stands
 * for, where that is another.
 */
export const listModelNames = (
  configuration: Configuration,
  name: string
): ReadonlyArray<string> => {
  const id = configuration.resolve(name)?.model.id
  return id === undefined || id === name ? [name] : [name, id]
}
