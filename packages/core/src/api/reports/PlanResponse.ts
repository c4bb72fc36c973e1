/** The request and the response of a dry run. */
import * as Schema from "effect/Schema"
import { ChatRequest } from "../../domains/chat/request/ChatRequest.ts"
import { MessagesRequestSchema } from "../../domains/messages/MessagesRequest.ts"
import { DecisionRequest } from "../../domains/decisions/Decision.ts"
import { ResponsesRequest } from "../../domains/responses/ResponsesRequest.ts"
import { VideoRequest } from "../../domains/videos/request/VideoRequest.ts"
import { HealthSnapshot } from "./HealthReport.ts"

const Key = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_294_967_295 }))

const by = Schema.Literals(["session_id", "prompt_cache_key", "opener"])
const affinityFields = {
  by,
  /** 32 bits of a hash of the conversation. */
  key: Key,
  /** The endpoint of its last answer, where that is not the one of its key. */
  pinned: Schema.optionalKey(Schema.String),
  /** Whether it returns to the endpoint of its key once that is available, because other processes send it there. */
  returns: Schema.optionalKey(Schema.Literal(true)),
  /** How many places later it goes, because requests of the key are under way. */
  shift: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
}

const did = Schema.Literals(["placed", "kept", "moved", "off"])

/** The conversation from an earlier plan. */
export const AffinityInput = Schema.Union([
  Schema.Struct(affinityFields),
  // It went where the strategy said.
  Schema.Struct({ by })
])

export const PlanRequest = Schema.Struct({
  /**
   * The request to plan. Its kind follows from its fields: a Decision has `questions`, a chat `messages`, a response
   * `input`; a request without these three is a video.
   */
  request: Schema.Union([
    DecisionRequest,
    ChatRequest,
    MessagesRequestSchema,
    ResponsesRequest,
    VideoRequest
  ]),
  /** Id or slug of the workspace to plan for; default: the caller's workspace. */
  workspace_id: Schema.optionalKey(Schema.String),
  /** Seed of an earlier plan, to repeat its random choices; default: a new seed. */
  seed: Schema.optionalKey(Schema.Int),
  /** Health from an earlier plan, to repeat its conditions; default: the current health. */
  health: Schema.optionalKey(HealthSnapshot),
  /** Conversation from an earlier plan. Default: no conversation with a seed or health, otherwise the request's own. */
  affinity: Schema.optionalKey(AffinityInput)
})

const Reason = Schema.Struct({
  rule: Schema.String,
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
})

const candidateFields = {
  endpoint: Schema.String,
  model: Schema.String,
  provider: Schema.String,
  /** Id of the customer's own credential; absent for the host's credential. */
  credential: Schema.optionalKey(Schema.String)
}

const planFields = {
  models: Schema.Array(Schema.String),
  strategy: Schema.String,
  ordered: Schema.Array(
    Schema.Struct({
      ...candidateFields,
      demoted: Schema.optionalKey(Schema.Array(Reason)),
      dropped: Schema.optionalKey(Schema.Array(Schema.String)),
      /** Approximate USD, by the estimated lengths of the prompt and the answer; absent: a price is unknown. */
      estimated_cost: Schema.optionalKey(Schema.Finite),
      last_resort: Schema.optionalKey(Schema.Literal(true))
    })
  ),
  rejected: Schema.Array(Schema.Struct({ ...candidateFields, reasons: Schema.Array(Reason) })),
  /** What the requested models that stand for others chose; absent: each of them is a model itself. */
  routers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        model: Schema.String,
        kind: Schema.Literals(["cheapest", "random"]),
        /** Whether all of its endpoints cost nothing. */
        free: Schema.Boolean,
        /** The model that is tried first; null: none fits. */
        chosen: Schema.NullOr(Schema.String),
        /** How many models it stands for, and how many of them the plan would try. */
        candidates: Schema.Int,
        fitting: Schema.Int,
        reason: Schema.String
      })
    )
  ),
  relax: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ rule: Schema.String, source: Schema.String, wanted: Schema.String })
    )
  )
}

const PlanLimits = Schema.Struct({
  /** Limits on spending that the request would count under, in approximate USD. */
  spending: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      /** The name of a budget. */
      name: Schema.optionalKey(Schema.String),
      interval: Schema.String,
      limit_usd: Schema.Finite,
      /** What is neither spent nor reserved. */
      left_usd: Schema.Finite,
      warns: Schema.optionalKey(Schema.Literal(true)),
      /** The only model or provider that counts; absent: all do. */
      model: Schema.optionalKey(Schema.String),
      provider: Schema.optionalKey(Schema.String)
    })
  ),
  rates: Schema.Array(
    Schema.Struct({
      counts: Schema.Literals(["requests", "tokens", "parallel_requests"]),
      holder: Schema.Literals(["key", "account", "customer"]),
      limit: Schema.Finite,
      window_millis: Schema.optionalKey(Schema.Finite),
      /** Parallel requests of this process under the limit. */
      running: Schema.optionalKey(Schema.Int),
      /** Of `requests`: further ones that are admitted in this window, as if they came over HTTP. */
      left: Schema.optionalKey(Schema.Int),
      /** When all `requests` are left again; absent: they are. */
      resets_in_millis: Schema.optionalKey(Schema.Finite),
      now: Schema.Literals(["admitted", "refused"]),
      retry_after_millis: Schema.optionalKey(Schema.Finite)
    })
  ),
  /** The endpoints of the plan that run a limited number of requests at a time, as this process knows them. */
  endpoints: Schema.Array(
    Schema.Struct({
      endpoint: Schema.String,
      limit: Schema.Finite,
      /** Absent for accounts other than `default`: the counts reveal the traffic of all accounts. */
      running: Schema.optionalKey(Schema.Int),
      waiting: Schema.optionalKey(Schema.Int),
      now: Schema.Literals(["runs", "waits", "refused"])
    })
  ),
  /** What would happen to the request, as far as that can be told without making it. */
  now: Schema.Literals(["runs", "waits", "refused"])
})

export const PlanResponse = Schema.Struct({
  ...planFields,
  /** The limits that the request would meet now; also where the rest repeats an earlier plan. */
  limits: Schema.optionalKey(PlanLimits),
  /** For a Decision that may escalate: the plan of the questions that are asked again. */
  escalation: Schema.optionalKey(Schema.Struct(planFields)),
  configuration: Schema.Int,
  seed: Schema.Int,
  health: HealthSnapshot,
  affinity: Schema.optionalKey(
    Schema.Union([
      Schema.Struct({ ...affinityFields, did }),
      // It goes where the strategy says.
      Schema.Struct({ by, did })
    ])
  )
})
