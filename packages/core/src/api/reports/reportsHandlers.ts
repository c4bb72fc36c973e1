/** Handlers of the report operations. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { JobStore } from "../../engine/jobs/JobStore.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Explanation } from "../../routing/Explanation.ts"
import { isOperator } from "../../tenants/auth/permissions.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { planLimit } from "../body/BodyLimit.ts"
import { isJson } from "../body/contentType.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { makeDryRun } from "./DryRun.ts"
import { HealthSnapshot } from "./HealthReport.ts"
import { AffinityInput } from "./PlanResponse.ts"
import { metricsContentType, type ReportsApi, toDeadStepResponse } from "./ReportsApi.ts"
import { makeHealthReport, pickCredentialEndpoints } from "./makeHealthReport.ts"
import { makeMetricsText } from "./makeMetricsText.ts"

export const reportsHandlers = Effect.gen(function* () {
  const { listDeadLetters } = yield* JobStore
  const health = yield* makeHealthReport
  const metrics = yield* makeMetricsText
  const plan = yield* makePlanHandler
  return {
    health: ({ query }) => Effect.map(health(query.endpoints), (data) => ({ data })),
    listDeadSteps: ({ query }) =>
      Effect.map(listDeadLetters(toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toDeadStepResponse)
      ),
    metrics: () =>
      Effect.map(metrics, (text) =>
        HttpServerResponse.text(text, { contentType: metricsContentType })
      ),
    plan: (_, context) => plan(context)
  } satisfies Handlers<typeof ReportsApi>
})

/** `request` stays undecoded, so that the operation's own parser reads it. */
const decodePlanRequest = Schema.decodeUnknownEffect(
  Schema.Struct({
    request: Schema.Unknown,
    workspace_id: Schema.optionalKey(Schema.String),
    seed: Schema.optionalKey(Schema.Int),
    health: Schema.optionalKey(HealthSnapshot),
    affinity: Schema.optionalKey(AffinityInput)
  })
)

/** The handler of dry runs over HTTP. */
const makePlanHandler = Effect.gen(function* () {
  const explain = yield* makeDryRun
  const limit = planLimit(yield* Settings)
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* ({
    caller,
    headers,
    readBody
  }: RequestContext): Effect.fn.Return<{ readonly data: Explanation }, ExpectedError> {
    if (!isJson(headers)) return yield* new NotJson()
    const { json } = yield* readBody(limit)
    const { request, workspace_id, ...replay } = yield* Effect.mapError(
      decodePlanRequest(json),
      toInvalidRequest
    )
    const workspaceCaller =
      workspace_id === undefined
        ? caller
        : { ...caller, workspace: yield* workspaces.resolve(caller, workspace_id) }
    const explanation = yield* Effect.mapError(
      explain(workspaceCaller, request, replay),
      addRequestPath
    )
    return {
      data: isOperator(caller) ? explanation : hideTraffic(explanation)
    }
  })
})

/** Without what reveals the traffic of other accounts. */
const hideTraffic = (explanation: Explanation): Explanation => ({
  ...explanation,
  health: pickCredentialEndpoints(explanation.health),
  ...(explanation.limits === undefined
    ? undefined
    : {
        limits: {
          ...explanation.limits,
          endpoints: explanation.limits.endpoints.map(({ endpoint, limit, now }) => ({
            endpoint,
            limit,
            now
          }))
        }
      })
})

const addRequestPath = <E extends ExpectedError>(error: E): E | InvalidRequest =>
  error instanceof InvalidRequest
    ? new InvalidRequest({ path: ["request", ...error.path], problem: error.problem })
    : error
