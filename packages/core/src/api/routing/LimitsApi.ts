/** Operations on the spend limits of an account. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope, dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery } from "../contract/pageQueries.ts"
import { literalParameter } from "../contract/queryParameters.ts"
import { Limit } from "../../engine/ledger/Limit.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { BudgetScope } from "../../tenants/workspaces/ScopedBudget.ts"
import { limitHolders, type LimitUsage } from "../../routing/restrictions/LimitUsage.ts"

/** Amounts are in USD. */
const LimitResponse = Schema.Struct({
  /** What sets the limit. */
  kind: Limit.fields.kind,
  /** Name of the workspace, key, guardrail or budget that sets it; null for credits. */
  name: Schema.NullOr(Schema.String),
  /** Null for credits. */
  workspace_id: Schema.NullOr(Schema.String),
  guardrail_id: Schema.NullOr(Schema.String),
  budget_id: Schema.NullOr(Schema.String),
  /** The tag, model, provider or external user whose spending counts; null: no budget sets the limit. */
  scope: Schema.NullOr(BudgetScope),
  /** Whether it only warns, and refuses nothing. */
  soft: Schema.Boolean,
  /**
   * The key or the user whose spending counts. All are null when all spending counts, or for a guardrail the
   * application's.
   */
  key_hash: Schema.NullOr(Schema.String),
  key_name: Schema.NullOr(Schema.String),
  user_id: Schema.NullOr(Schema.String),
  interval: Limit.fields.interval,
  /** ISO 8601; null for a limit that never resets. */
  began_at: Schema.NullOr(Schema.String),
  /** ISO 8601; null for a limit that never resets. */
  resets_at: Schema.NullOr(Schema.String),
  /** Whether spending on the account's own provider credentials counts. */
  include_byok: Schema.Boolean,
  limit: Schema.Finite,
  /** Spent in the current interval. */
  settled: Schema.Finite,
  /** Set aside for requests in progress. */
  reserved: Schema.Finite,
  /** At least 0. */
  remaining: Schema.Finite
})

const PeriodResponse = Schema.Struct({
  /** ISO 8601. */
  began_at: Schema.String,
  ends_at: Schema.String
})

const PeriodsResponse = Schema.Struct({
  /** The setting `limitTimeZone`. */
  time_zone: Schema.String,
  daily: PeriodResponse,
  weekly: PeriodResponse,
  monthly: PeriodResponse
})

export const toLimitResponse = (usage: LimitUsage): typeof LimitResponse.Type => {
  const { beganAt, budget, guardrail, key, limit, name, reserved, settled, user, workspace } = usage
  const rest = NanoUsd.make(limit.cap - settled - reserved)
  return {
    kind: limit.kind,
    name,
    workspace_id: workspace,
    guardrail_id: guardrail,
    budget_id: budget?.id ?? null,
    scope: budget?.scope ?? null,
    soft: limit.soft === true,
    key_hash: key?.hash ?? null,
    key_name: key?.name ?? null,
    user_id: user,
    interval: limit.interval,
    began_at: beganAt === -Infinity ? null : new Date(beganAt).toISOString(),
    resets_at: limit.endsAt === Infinity ? null : new Date(limit.endsAt).toISOString(),
    include_byok: limit.countsByok,
    limit: NanoUsd.toUsdNumber(limit.cap),
    settled: NanoUsd.toUsdNumber(settled),
    reserved: NanoUsd.toUsdNumber(reserved),
    remaining: NanoUsd.toUsdNumber(NanoUsd.max(rest, NanoUsd.zero))
  }
}

export class LimitsApi extends HttpApiGroup.make("limits")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/limits", {
      query: {
        ...cursorQuery,
        holder: literalParameter(
          limitHolders,
          "`workspace`: the credits, the budgets of workspaces and of what they spend on, and what the application itself may spend. `key`: the limits and guardrails of keys. `member`: guardrails assigned to members. Default: `workspace`."
        )
      },
      success: cursorPageEnvelope(LimitResponse),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List spend limits with what is settled and reserved under each, the holders oldest first. `limit` counts holders, so a page may have more rows or fewer."
    ),
    HttpApiEndpoint.get("getPeriods", "/api/v1/signalbox/limits/periods", {
      success: dataEnvelope(PeriodsResponse),
      error: authenticatedErrors
    }).annotate(
      OpenApi.Summary,
      "Get when the running day, week and month of spend limits began and end."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Limits") {}
