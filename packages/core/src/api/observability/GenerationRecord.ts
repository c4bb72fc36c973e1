/** The records of requests as management keys see them: why they went where they did, and what they cost. */
import * as Schema from "effect/Schema"
import {
  GenerationAffinity,
  GenerationFilter
} from "../../engine/observability/generations/Generation.ts"

const Text = Schema.NullOr(Schema.String)
const Amount = Schema.NullOr(Schema.Finite)

/** A count is null when it is unknown or does not apply. */
const UsageResponse = Schema.Struct({
  tokens_prompt: Schema.Finite,
  tokens_completion: Schema.Finite,
  tokens_cached: Amount,
  tokens_cache_write: Amount,
  tokens_reasoning: Amount,
  images: Amount,
  web_searches: Amount,
  /** Of text to speak. */
  characters: Amount,
  /** Of audio to transcribe. */
  audio_seconds: Amount,
  /** That were made; `images` are of the request. */
  output_images: Amount
})

const spendingFields = {
  /** Null when unknown. */
  usage: Schema.NullOr(UsageResponse),
  /** USD; null when unknown. */
  cost: Amount,
  /** USD that the provider bills to the owner of the credential; null when unknown or without such a credential. */
  upstream_inference_cost: Amount,
  /** Whether it ran on the account's own credential. */
  is_byok: Schema.Boolean
}

const boundFields = {
  /** Restrictions of the account and of guardrails that the plan had to meet. */
  constraints: Schema.Array(
    Schema.Struct({
      /** `account`, or `guardrail` and its name. */
      source: Schema.String,
      /** The kinds of its rules, such as `only`; `spend_limit` for a spend limit of its own. */
      rules: Schema.Array(Schema.String)
    })
  ),
  /** Spend limits that its cost counted under. */
  limits: Schema.Array(
    Schema.Struct({
      /** `credits`, `key`, `workspace`, `guardrail` or `budget`. */
      kind: Schema.String,
      /** The name of a budget; null for other limits. */
      name: Text,
      /** `daily`, `weekly`, `monthly` or `lifetime`. */
      interval: Schema.String
    })
  )
}

/** A request in a list. */
export const GenerationSummaryResponse = Schema.Struct({
  id: Schema.String,
  /** When the request began, in ISO 8601. */
  created_at: Schema.String,
  operation: Schema.String,
  workspace_id: Schema.String,
  key_hash: Text,
  /** The acting user: whom the host authenticated, or the member of the key. */
  user: Text,
  /** The `user` of the request: the caller's own word. */
  external_user: Text,
  /** The tags of the caller, by their names. */
  tags: Schema.Record(Schema.String, Schema.String),
  session_id: Text,
  /** The id of the preset that the request named. */
  preset_id: Text,
  /** The `x-request-id` of the response; of a video its submission's. Null for calls in process and records of earlier versions. */
  request_id: Text,
  requested_model: Schema.String,
  /** The requested model and its fallbacks, in order. */
  models: Schema.Array(Schema.String),
  /** The ids of `models`; null without fallbacks, or when the request was not planned. */
  resolved_models: Schema.NullOr(Schema.Array(Schema.String)),
  /** The fields of `provider` that the request set; null when it set none. */
  preferences: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  /** Names of preferences that were too long for the record. */
  omitted_preferences: Schema.Array(Schema.String),
  ...boundFields,
  /** The catalog's id of the model that answered; in records of earlier versions its provider's name. */
  model: Text,
  provider_name: Text,
  /** `answered`, or the kind of the error. */
  outcome: Schema.String,
  streamed: Schema.Boolean,
  /** What the cache of responses did; null: the request did not use it. */
  cache: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["hit", "miss"]),
      /** For a hit: the id of the generation whose answer it is. */
      source_id: Schema.NullOr(Schema.String),
      /** For a hit: USD that its source cost, and this request did not; null when unknown. */
      saved: Amount,
      /** For a hit: whether its source was the same request, or asked the same in other words. */
      match: Schema.NullOr(Schema.Literals(["exact", "semantic"]))
    })
  ),
  /** Milliseconds of all attempts together, with their waits. */
  latency: Schema.Finite,
  /** Milliseconds of `latency` in the request queue, because no endpoint had room. */
  queue_wait: Schema.Finite,
  attempt_count: Schema.Int,
  ...spendingFields
})

const AttemptResponse = Schema.Struct({
  endpoint_id: Schema.String,
  provider_name: Schema.String,
  /** `served`, the kind of the failure, `interrupted`, `lost` or `defect`. */
  outcome: Schema.String,
  /** HTTP status of the provider; null without a response or when unknown. */
  status: Schema.NullOr(Schema.Finite),
  /** Milliseconds, without `queue_wait` and `connection_wait`. */
  latency: Schema.Finite,
  /** Milliseconds it waited in the request queue before, until its endpoint had room. */
  queue_wait: Schema.Finite,
  /** Milliseconds it waited before, because every connection of this instance to the provider was in use. */
  connection_wait: Schema.Finite,
  /** Milliseconds to the first event of a stream that began. */
  time_to_first_token: Amount,
  /** Whether it was started beside another attempt, which took long to answer. */
  hedge: Schema.Boolean,
  /** Whether the other of two attempts answered. */
  lost: Schema.Boolean,
  /** The id of the account's own credential. */
  credential_id: Text,
  /** Parameters that were not sent, because the endpoint does not support them. */
  dropped_parameters: Schema.Array(Schema.String),
  /** Whether `usage` is an estimate. */
  is_estimated: Schema.Boolean,
  /** A report of the provider that was capped. */
  implausible_report: Schema.NullOr(
    Schema.Struct({
      /** A count of the usage, or `cost`. */
      what: Schema.String,
      reported: Schema.Finite,
      at_most: Schema.Finite,
      /** All that the provider reported; null for a cost, and in records of earlier versions. */
      usage: Schema.NullOr(UsageResponse)
    })
  ),
  ...spendingFields
})

/** A rule that concerned an endpoint, with the value it wanted and the value it found. */
const RuleResponse = Schema.Struct({
  endpoint_id: Schema.String,
  credential_id: Text,
  rule: Schema.String,
  /** The source of the rule: `request`, `account` or a guardrail, for example. */
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
})

/** The whole record of a request. */
export const GenerationRecordResponse = Schema.Struct({
  ...GenerationSummaryResponse.fields,
  /** For the outcome `LimitExceeded`: the spend limit that refused the request; null for others. */
  exceeded_limit: Schema.NullOr(
    Schema.Struct({
      /** `credits`, `key`, `workspace`, `guardrail`, `budget` or `experiment`. */
      kind: Schema.String,
      /** The name of a budget; null for other limits. */
      name: Text,
      /** `daily`, `weekly`, `monthly` or `lifetime`. */
      interval: Schema.String,
      limit_usd: Schema.Finite,
      /** The maximum cost of the request. */
      required_usd: Schema.Finite,
      /** The rest of the limit. */
      available_usd: Schema.Finite
    })
  ),
  /** For a chat: the API it came by; null for other operations. */
  api: Text,
  /** In order. */
  attempts: Schema.Array(AttemptResponse),
  /** Endpoints that could not serve the request. */
  rejected: Schema.Array(RuleResponse),
  /** Endpoints that were moved behind the others. */
  demoted: Schema.Array(RuleResponse),
  /** The version of the configuration that routed it. */
  configuration_version: Schema.Finite,
  /** The strategy that ordered the endpoints. */
  strategy: Text,
  /**
   * For a chat: whether its conversation was placed by its key, kept where its last answer came from, or moved from there.
   * Null for other operations.
   */
  affinity: Schema.NullOr(GenerationAffinity),
  finish_reason: Text,
  native_finish_reason: Text,
  service_tier: Text,
  upstream_id: Text,
  /** The provider's name of the model that answered, such as a dated snapshot; null when not reported. */
  upstream_model: Text,
  /** Its part in a canary of the host; null: none. `control`: it was drawn to stay with the requested model. */
  experiment: Schema.NullOr(
    Schema.Struct({ id: Schema.String, arm: Schema.Literals(["canary", "control"]) })
  ),
  /** What the content filters of guardrails found, and where; null: nothing. */
  filters: Schema.NullOr(Schema.Array(GenerationFilter)),
  /** For a Decision that may escalate: how many of its questions were asked again, and why the first answers stand. */
  escalation: Schema.NullOr(
    Schema.Struct({
      to: Schema.String,
      threshold: Amount,
      asked: Schema.Finite,
      questions: Schema.Finite,
      failed: Text
    })
  ),
  /** For a Decision: how its probabilities were obtained, and their sum over the options. */
  method: Text,
  label_mass: Amount,
  /** The `trace` of the request. */
  trace: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  /** The id of the generation whose request an operator ran again; null: it is no replay. */
  replay_of: Text
})
