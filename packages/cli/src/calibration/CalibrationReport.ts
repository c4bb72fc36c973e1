/** What `GET /api/v1/signalbox/calibration` answers; fields that the command line does not print are left out. */
import * as Schema from "effect/Schema"

const Bin = Schema.Struct({
  from: Schema.Finite,
  to: Schema.Finite,
  count: Schema.Finite,
  confidence: Schema.Finite,
  accuracy: Schema.Finite,
  low: Schema.Finite,
  high: Schema.Finite
})

const Figures = Schema.Struct({
  ece: Schema.Finite,
  ece_by_chance: Schema.Finite,
  brier: Schema.Finite,
  nll: Schema.Finite,
  bins: Schema.Array(Bin)
})
export type CalibrationFigures = typeof Figures.Type

const Labeler = Schema.Struct({
  user: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String),
  share: Schema.Finite
})

const CalibrationMap = Schema.Struct({
  model: Schema.String,
  method: Schema.String,
  kind: Schema.String,
  /** Null for the map of the kind. */
  question: Schema.NullOr(Schema.String),
  map: Schema.String,
  samples: Schema.Finite,
  /** The labelers with the most weight first; absent from instances of earlier versions. */
  labeled_by: Schema.optionalKey(Schema.Array(Labeler)),
  before: Figures,
  after: Figures,
  /** The last labels alone, to show drift. */
  recent: Schema.Struct({ samples: Schema.Finite, before: Figures, after: Figures })
})
export type CalibrationMap = typeof CalibrationMap.Type

export const CalibrationResponse = Schema.Struct({
  data: Schema.Struct({ maps: Schema.Array(CalibrationMap) })
})
