/** The records of requests as management keys see them: why they went where they did, and what they cost. */
import * as Schema from "effect/Schema"

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
  web_searches: Amount
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

/** A request in a list. */
export const GenerationSummaryResponse = Schema.Struct({
  id: Schema.String,
  /** When the request began, in ISO 8601. */
  created_at: Schema.String,
  operation: Schema.String,
  workspace_id: Schema.String,
  key_hash: Text,
  /** The `user` of the request. */
  external_user: Text,
  session_id: Text,
  requested_model: Schema.String,
  /** The model that answered. */
  model: Text,
  provider_name: Text,
  /** `answered`, or the kind of the error. */
  outcome: Schema.String,
  streamed: Schema.Boolean,
  /** Milliseconds of all attempts together. */
  latency: Schema.Finite,
  attempt_count: Schema.Int,
  ...spendingFields
})

const AttemptResponse = Schema.Struct({
  endpoint_id: Schema.String,
  provider_name: Schema.String,
  /** `served`, the kind of the failure, `interrupted` or `defect`. */
  outcome: Schema.String,
  /** HTTP status of the provider; null without a response or when unknown. */
  status: Schema.NullOr(Schema.Finite),
  /** Milliseconds. */
  latency: Schema.Finite,
  /** Milliseconds to the first event of a stream that began. */
  time_to_first_token: Amount,
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
      at_most: Schema.Finite
    })
  ),
  ...spendingFields
})

/** A rule that concerned an endpoint, with the value it wanted and the value it found. */
const RuleResponse = Schema.Struct({
  endpoint_id: Schema.String,
  credential_id: Text,
  rule: Schema.String,
  /** Who asked for it: `request`, `account` or a guardrail, for example. */
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
})

/** The whole record of a request. */
export const GenerationRecordResponse = Schema.Struct({
  ...GenerationSummaryResponse.fields,
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
  finish_reason: Text,
  native_finish_reason: Text,
  service_tier: Text,
  upstream_id: Text,
  /** For a Decision: how its probabilities were obtained, and their sum over the options. */
  method: Text,
  label_mass: Amount,
  /** The `trace` of the request. */
  trace: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})
