/** The maps of one model, method and kind of question, with what is reported about them. */
import * as Schema from "effect/Schema"
import { CalibrationMap } from "./CalibrationMap.ts"
import { Labeler } from "./Labeler.ts"

const ReliabilityBin = Schema.Struct({
  from: Schema.Finite,
  to: Schema.Finite,
  count: Schema.Int,
  confidence: Schema.Finite,
  accuracy: Schema.Finite,
  low: Schema.Finite,
  high: Schema.Finite
})

const CalibrationFigures = Schema.Struct({
  ece: Schema.Finite,
  equalMassEce: Schema.Finite,
  chanceEce: Schema.Finite,
  brier: Schema.Finite,
  nll: Schema.Finite,
  bins: Schema.Array(ReliabilityBin)
})

const Comparison = Schema.Struct({
  samples: Schema.Int,
  /** The figures of the answers as the model gave them. */
  before: CalibrationFigures,
  /** The figures after maps that had not seen the label. */
  after: CalibrationFigures
})

const LabelerShare = Schema.Struct({
  /** Empty for the application, and for labels of earlier versions. */
  labeler: Labeler,
  samples: Schema.Int,
  /** Its share of the weight, 0 to 1. */
  share: Schema.Finite
})
export type LabelerShare = typeof LabelerShare.Type

/** One map. */
export const FittedMap = Schema.Struct({
  /** Keyed hash of the question; absent for the map of the kind. */
  question: Schema.optionalKey(Schema.String),
  map: CalibrationMap,
  /** Conformal scores as base64 of 32-bit floats, the least first, and the sums of their weights where those differ. */
  scores: Schema.String,
  masses: Schema.optionalKey(Schema.String),
  /** The ten whose labels weigh most; absent in maps of earlier versions. */
  labelers: Schema.optionalKey(Schema.Array(LabelerShare)),
  all: Comparison,
  /** The comparison over the labels given last. */
  recent: Comparison
})
export type FittedMap = typeof FittedMap.Type

/** The map of the kind, then the maps of questions; empty without labels. */
export const FittedMaps = Schema.Struct({
  /** Milliseconds since the epoch. */
  fittedAt: Schema.Finite,
  maps: Schema.Array(FittedMap)
})
export type FittedMaps = typeof FittedMaps.Type
