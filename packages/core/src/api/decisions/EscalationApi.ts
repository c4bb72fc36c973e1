/** The report on escalation from one model to another. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication, BadRequest } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { literalParameter } from "../contract/queryParameters.ts"
import type {
  Accuracy,
  EscalationReport
} from "../../domains/decisions/escalation/escalationReport.ts"

export const questionKinds = ["noul", "choice", "score"] as const

const AccuracyResponse = Schema.Struct({
  /** The share of right answers, 0 to 1, and Wilson's 95 % interval. */
  share: Schema.Finite,
  low: Schema.Finite,
  high: Schema.Finite
})

const EscalationReportResponse = Schema.Struct({
  kind: Schema.Literals(questionKinds),
  /** Labelled answers of both models to the same questions. */
  pairs: Schema.Int,
  /** The accuracy of each model alone. */
  first: AccuracyResponse,
  other: AccuracyResponse,
  targets: Schema.Array(
    Schema.Struct({
      relative_accuracy: Schema.Finite,
      /** The confidence below which questions are asked again; null: all of them are. */
      threshold: Schema.NullOr(Schema.Finite),
      /** Why all of them are; null: they are not. */
      reason: Schema.NullOr(Schema.String),
      /** The share of the questions that would have been asked again. */
      share: Schema.Finite,
      accuracy: AccuracyResponse,
      /** Over the latest 200 pairs; null with fewer. Far below `accuracy`: the traffic is no longer like the labels. */
      recent: Schema.NullOr(AccuracyResponse)
    })
  ),
  /** Accuracy when a share of the questions is asked again: the least sure first, at random, and with foresight. */
  curve: Schema.Array(
    Schema.Struct({
      share: Schema.Finite,
      by_confidence: Schema.Finite,
      at_random: Schema.Finite,
      best: Schema.Finite
    })
  )
})

const toAccuracyResponse = ({ high, low, share }: Accuracy) => ({ share, low, high })

export const toEscalationReportResponse = (
  kind: (typeof questionKinds)[number],
  { curve, first, other, pairs, targets }: EscalationReport
): typeof EscalationReportResponse.Type => ({
  kind,
  pairs,
  first: toAccuracyResponse(first),
  other: toAccuracyResponse(other),
  targets: targets.map(({ accuracy, recent, relativeAccuracy, share, threshold }) => ({
    relative_accuracy: relativeAccuracy,
    threshold: threshold.below === Infinity ? null : threshold.below,
    reason: threshold.reason ?? null,
    share,
    accuracy: toAccuracyResponse(accuracy),
    recent: recent === undefined ? null : toAccuracyResponse(recent)
  })),
  curve: curve.map(({ atRandom, best, byConfidence, share }) => ({
    share,
    by_confidence: byConfidence,
    at_random: atRandom,
    best
  }))
})

export class EscalationApi extends HttpApiGroup.make("escalation")
  .add(
    HttpApiEndpoint.get("report", "/api/v1/signalbox/escalation", {
      query: {
        /** The model that answers first: its id or an alias, or one of the names that its providers report. */
        from: Schema.NonEmptyString,
        /** The model that is asked again: its id or an alias, as in `escalate.to`. */
        to: Schema.NonEmptyString,
        kind: literalParameter(questionKinds, "Kind of the questions. Default: all kinds.")
      },
      success: dataEnvelope(Schema.Array(EscalationReportResponse)),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "Report what the labels of the account say about escalation from one model to another, by kind of question."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Escalation") {}
