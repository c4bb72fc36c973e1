/** Operations on calibration: labels, and reports of how well calibrated answers are. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  NotFound,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { literalParameter, textParameter } from "../contract/queryParameters.ts"

const kinds = ["noul", "choice", "score"] as const

const weightMessage = "must be a number from 1 to 1000000"

const LabelsRequest = Schema.Struct({
  /** Id of a Decision that was answered with `calibration`. */
  generation_id: Schema.NonEmptyString,
  /** By the name of a question: true or false for `noul`, a label for `choice`, a level for `score`. */
  labels: Schema.Record(
    Schema.String,
    Schema.Union([Schema.Boolean, Schema.Finite, Schema.String])
  ).check(Schema.isMinProperties(1)),
  /** How many answers it stands for: 1 divided by the probability with which it was chosen. Default: 1; more needs a management key. */
  weight: Schema.optionalKey(
    Schema.Finite.annotate({ message: weightMessage }).check(
      Schema.makeFilter((weight) => weight >= 1 && weight <= 1_000_000, {
        message: weightMessage,
        minimum: 1,
        maximum: 1_000_000
      })
    )
  )
})

const LabelsResponse = Schema.Struct({
  generation_id: Schema.String,
  /** Answers labelled. */
  labeled: Schema.Int
})

const BinResponse = Schema.Struct({
  /** The range of confidence. */
  from: Schema.Finite,
  to: Schema.Finite,
  count: Schema.Int,
  /** The mean confidence and the share of right answers; both 0 in an empty bin. */
  confidence: Schema.Finite,
  accuracy: Schema.Finite,
  /** Wilson's 95 % interval of the accuracy. */
  low: Schema.Finite,
  high: Schema.Finite
})

/** Figures of answers with labels. Confidence is the probability of yes (noul), or of the best option. */
export const FiguresResponse = Schema.Struct({
  /** Expected calibration error over 15 bins of equal width. */
  ece: Schema.Finite,
  /** The same over 15 bins of equally many answers. */
  ece_equal_mass: Schema.Finite,
  /** The `ece` that chance alone would cause for this number of answers. */
  ece_by_chance: Schema.Finite,
  brier: Schema.Finite,
  /** Mean negative log-likelihood. */
  nll: Schema.Finite,
  /** The reliability diagram. */
  bins: Schema.Array(BinResponse)
})

const ComparisonResponse = Schema.Struct({
  samples: Schema.Int,
  /** The figures of the answers as the model gave them. */
  before: FiguresResponse,
  /** Calibrated by maps that had not seen the label (five-fold cross-validation). */
  after: FiguresResponse
})

const MapResponse = Schema.Struct({
  /** The model that answered; a dated name where the provider reports one. */
  model: Schema.String,
  /** How it made its probabilities, such as `logprobs` or `stated`. */
  method: Schema.String,
  kind: Schema.Literals(kinds),
  /** `key` of the question in routing metadata; null for the map of the kind. */
  question: Schema.NullOr(Schema.String),
  map: Schema.Literals(["none", "temperature", "platt", "isotonic", "discrete"]),
  /** The numbers of the map, by their names. */
  parameters: Schema.Record(Schema.String, Schema.Unknown),
  /** When it was fitted, in ISO 8601. */
  fitted_at: Schema.String,
  /** The ten labelers whose labels weigh most, those first. */
  labeled_by: Schema.Array(
    Schema.Struct({
      /** The member; null for a key of no member, and for the application. */
      user: Schema.NullOr(Schema.String),
      /** The hash of the key; null without one. */
      key: Schema.NullOr(Schema.String),
      /** Whether it managed the account. */
      manager: Schema.Boolean,
      samples: Schema.Int,
      /** Its share of the weight of all labels of the map, 0 to 1. */
      share: Schema.Finite
    })
  ),
  ...ComparisonResponse.fields,
  /** The last 200 labels alone, to show drift. */
  recent: ComparisonResponse
})

export const CalibrationResponse = Schema.Struct({
  /** The map of each kind, then those of its questions. */
  maps: Schema.Array(MapResponse)
})
export type CalibrationResponse = typeof CalibrationResponse.Type

const query = {
  model: textParameter("The model that answered."),
  kind: literalParameter(kinds, "Kind of the question."),
  question: textParameter("`key` of a question, as routing metadata has it.")
}

const path = "/api/v1/signalbox/calibration"

export class CalibrationApi extends HttpApiGroup.make("calibration")
  .add(
    HttpApiEndpoint.post("label", `${path}/samples`, {
      payload: LabelsRequest,
      success: dataEnvelope(LabelsResponse),
      error: [...authenticatedErrors, BadRequest, NotFound, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Label answers of a Decision with what was right, with a member key of a Decision of its own. Labelling again replaces."
    ),
    HttpApiEndpoint.get("get", path, {
      query,
      success: dataEnvelope(CalibrationResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Get the calibration maps of the account, with errors and reliability diagrams before and after."
      ),
    HttpApiEndpoint.post("refit", path, {
      query,
      success: dataEnvelope(CalibrationResponse),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Fit the calibration maps to all labels now, and get them."),
    HttpApiEndpoint.delete("forget", path, {
      query,
      success: dataEnvelope(Schema.Struct({ deleted: Schema.Int })),
      error: [...authenticatedErrors, BadRequest]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Delete labels, and the calibration maps fitted to them.")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Calibration") {}
