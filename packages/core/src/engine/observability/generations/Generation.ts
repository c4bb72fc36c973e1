/** The record of one request: its caller, its attempts, its outcome and its cost. */
import * as Schema from "effect/Schema"
import { GenerationId } from "../../../values/ids/GenerationId.ts"
import { AccountId, KeyHash, WorkspaceId } from "../../../values/ids/Ids.ts"
import { OperationName } from "../../../values/OperationName.ts"
import {
  UnknownJson,
  optionalNumber,
  optionalText,
  optionalTrue
} from "../../../values/schemaFields.ts"
import { StoredTags } from "../../../values/Tags.ts"
import { Trace } from "../../../values/Trace.ts"
import { NanoUsd } from "../../../values/usage/NanoUsd.ts"
import { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { LabelableAnswer } from "./LabelableAnswer.ts"

/** A usage or cost that a provider reported and the request cannot have caused. */
export const ImplausibleReport = Schema.Struct({
  /** The reported figure: a count of the usage such as `outputTokens`, or `cost`. */
  what: Schema.String,
  /** A count, or USD. */
  reported: Schema.Finite,
  /** The most that is charged for it. */
  atMost: Schema.Finite,
  /** The usage as the provider reported it; absent for a cost, and in records of earlier versions. */
  usage: Schema.optionalKey(TokenUsage)
})
export type ImplausibleReport = typeof ImplausibleReport.Type

const moneyFields = {
  usage: Schema.optionalKey(TokenUsage),
  /** Nano-USD; absent when unknown. */
  cost: Schema.optionalKey(NanoUsd),
  /** Nano-USD that providers charge the customer whose credential was used; absent when unknown. */
  upstreamCost: Schema.optionalKey(NanoUsd)
}

/** The fields of an attempt without usage and cost. */
export const attemptFields = {
  endpoint: Schema.String,
  provider: Schema.String,
  /** `served`, the kind of the failure, `interrupted`, `lost` or `defect`. */
  outcome: Schema.String,
  status: optionalNumber,
  latencyMillis: Schema.Finite,
  /** How long it waited in the request queue before, until its endpoint had room, in milliseconds; absent: not at all. */
  queueMillis: optionalNumber,
  /** How long it waited for a connection of the process before, in milliseconds; absent: not at all. */
  queuedMillis: optionalNumber,
  /** For a stream that began: milliseconds to its first event. */
  firstEventMillis: optionalNumber,
  /** True when it was started beside another attempt, which took long to answer. */
  hedge: optionalTrue,
  /** True when the other of two attempts answered. */
  lost: optionalTrue,
  /**
   * Parts of the request that were not sent, or in another form: parameters that the endpoint does not support, and
   * paths such as `messages.3.content` that its provider would refuse as they are.
   */
  dropped: Schema.optionalKey(Schema.Array(Schema.String)),
  /** True when it ran on a customer's credential: then it cost nothing here. */
  isByok: optionalTrue,
  /** The id of that credential. */
  credential: optionalText,
  /** True when `usage` is estimated, because the provider did not report any. */
  estimated: optionalTrue,
  /** An implausible report of the provider; `usage` and `cost` are capped. */
  implausible: Schema.optionalKey(ImplausibleReport)
}

/** One attempt of a request. */
export const GenerationAttempt = Schema.Struct({ ...attemptFields, ...moneyFields })
export type GenerationAttempt = typeof GenerationAttempt.Type

/** Why a rule rejected or demoted a candidate. */
export const GenerationReason = Schema.Struct({
  endpoint: Schema.String,
  /** The id of the customer's credential; absent for shared capacity. */
  credential: optionalText,
  rule: Schema.String,
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
})
export type GenerationReason = typeof GenerationReason.Type

/** The restrictions of an account or a guardrail. */
export const GenerationConstraint = Schema.Struct({
  /** `account`, or `guardrail` and its name. */
  source: Schema.String,
  /** The kinds of its rules, such as `only`; `spend_limit` for a spend limit of its own. */
  rules: Schema.Array(Schema.String)
})
export type GenerationConstraint = typeof GenerationConstraint.Type

/** A limit that the cost of a request counted under. */
export const GenerationLimit = Schema.Struct({
  /** `credits`, `key`, `workspace`, `guardrail` or `budget`. */
  kind: Schema.String,
  /** The name of a budget. */
  name: optionalText,
  /** `daily`, `weekly`, `monthly` or `lifetime`. */
  interval: Schema.String
})
export type GenerationLimit = typeof GenerationLimit.Type

/** The limit that a request was refused by, because its cost might have exceeded it. */
export const ExceededLimit = Schema.Struct({
  ...GenerationLimit.fields,
  /** Nano-USD: the whole limit, the maximum cost of the request, and the rest of the limit. */
  cap: NanoUsd,
  amount: NanoUsd,
  available: NanoUsd
})
export type ExceededLimit = typeof ExceededLimit.Type

/** The restrictions of a plan besides its request. Empty lists are absent. */
export const boundFields = {
  constraints: Schema.optionalKey(Schema.Array(GenerationConstraint)),
  limits: Schema.optionalKey(Schema.Array(GenerationLimit))
}

/** The source that identified the conversation of a chat, and where the conversation went; never its key. */
export const GenerationAffinity = Schema.Struct({
  by: Schema.Literals(["session_id", "prompt_cache_key", "opener"]),
  did: Schema.Literals(["placed", "kept", "moved", "off"])
})

/** The APIs besides OpenAI's chat API that a chat may come by. */
export const ChatApiName = Schema.Literals(["messages", "responses"])
export type ChatApiName = typeof ChatApiName.Type

/** The outcome of escalation for a Decision. */
export const GenerationEscalation = Schema.Struct({
  /** The model that unsure questions are asked again at. */
  to: Schema.String,
  /** The confidence below which questions were asked again. */
  threshold: optionalNumber,
  /** How many questions were asked again, of how many. */
  asked: Schema.Finite,
  questions: Schema.Finite,
  /** Why the first answers stand where they were unsure. */
  failed: optionalText
})
export type GenerationEscalation = typeof GenerationEscalation.Type

/** What a content filter of a guardrail found in a request or its answer: where, and never the text. */
export const GenerationFilter = Schema.Struct({
  /** The id of the guardrail. */
  guardrail: Schema.String,
  /** The slug of the detector, `custom`, or the name of a check of the host. */
  filter: Schema.String,
  /** What exactly was found, such as the provider of a key or the rule that matched; absent: `filter` says all. */
  kind: optionalText,
  action: Schema.Literals(["block", "redact", "flag"]),
  /** Such as `messages.0.content`, or `answer`. */
  path: Schema.String,
  count: Schema.Finite
})
export type GenerationFilter = typeof GenerationFilter.Type

/** The part of a request in an experiment of the host. */
export const GenerationExperiment = Schema.Struct({
  /** The id of the experiment. */
  id: Schema.String,
  /** `canary`: the model on trial came first. `control`: the requested model did. */
  arm: Schema.Literals(["canary", "control"])
})
export type GenerationExperiment = typeof GenerationExperiment.Type

/** What the cache of responses did for a request. */
const GenerationCacheUse = Schema.Struct({
  status: Schema.Literals(["hit", "miss"]),
  /** For a hit: the id of the generation whose answer it is. */
  source: Schema.optionalKey(GenerationId),
  /** For a hit: nano-USD that the source cost, and this request did not; absent when unknown. */
  saved: Schema.optionalKey(NanoUsd),
  /** For a hit of a request that asked the same in other words; absent: it was the same. */
  match: Schema.optionalKey(Schema.Literal("semantic"))
})

/** The record of one request. */
export const Generation = Schema.Struct({
  id: GenerationId,
  account: AccountId,
  workspace: WorkspaceId,
  keyHash: Schema.optionalKey(KeyHash),
  /** The acting user: whom the host authenticated, or the member of the key. Absent: there was none, or the record is of an earlier version. */
  user: optionalText,
  /** The tags of the caller. */
  tags: Schema.optionalKey(StoredTags),
  /** The `x-request-id` of the response over HTTP. A client may have chosen it, so that it is not unique. */
  requestId: optionalText,
  /** The generation whose request an operator ran again; absent: it is no replay. */
  replayOf: Schema.optionalKey(GenerationId),
  operation: OperationName,
  /** For a chat: the API it came by, where that is not OpenAI's chat API. */
  api: Schema.optionalKey(ChatApiName),
  /** Milliseconds since the epoch. */
  startedAt: Schema.Finite,
  latencyMillis: Schema.Finite,
  /** How long it waited in the request queue, all waits together, in milliseconds of `latencyMillis`; absent: not at all. */
  queueMillis: optionalNumber,
  requestedModel: Schema.String,
  /** With fallbacks: the requested model and the fallbacks, in order, as the caller named them. */
  models: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The ids of `models`; absent when they are the same, or when the request was not planned. */
  resolvedModels: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The routing preferences that the request set, in the fields of the HTTP API. */
  preferences: Schema.optionalKey(Schema.Record(Schema.String, UnknownJson)),
  /** The names of the preferences that were too long to keep. */
  omittedPreferences: Schema.optionalKey(Schema.Array(Schema.String)),
  ...boundFields,
  /** The catalog's id of the model that answered; in records of earlier versions its provider's name. Absent: none did. */
  model: optionalText,
  /** The provider's name of that model, such as a dated snapshot; absent: not reported. */
  upstreamModel: optionalText,
  provider: optionalText,
  /** Usage and cost are sums over all attempts, including failed ones, as far as they are known. */
  ...moneyFields,
  /** True when the answer came from a customer's credential. */
  isByok: optionalTrue,
  /** For a Decision: how its probabilities were obtained, and their sum over the options. */
  method: optionalText,
  labelMass: optionalNumber,
  /** For a calibrated Decision: its answers as they can be labelled. */
  labelable: Schema.optionalKey(Schema.Array(LabelableAnswer)),
  /** For a Decision that may escalate: what became of it. */
  escalation: Schema.optionalKey(GenerationEscalation),
  /** For a chat: why its first choice ended. */
  finishReason: optionalText,
  /** The same in the words of the provider. */
  nativeFinishReason: optionalText,
  /** The service tier the provider reported. */
  serviceTier: optionalText,
  /** The provider's id of the answer. */
  upstreamId: optionalText,
  /** True for a streamed answer. */
  streamed: optionalTrue,
  attempts: Schema.Array(GenerationAttempt),
  /** The version of the configuration that routed it. */
  configuration: Schema.Finite,
  /** The strategy that ordered the candidates. */
  strategy: optionalText,
  /** For a chat: what identified its conversation, and where that went. */
  affinity: Schema.optionalKey(GenerationAffinity),
  /** Why candidates were excluded. */
  rejected: Schema.Array(GenerationReason),
  /** Why candidates were moved behind the others. */
  demoted: Schema.Array(GenerationReason),
  /** The tag of the error the caller received. */
  error: optionalText,
  /** For a `LimitExceeded`. */
  exceeded: Schema.optionalKey(ExceededLimit),
  /** Absent: it took part in no canary. */
  experiment: Schema.optionalKey(GenerationExperiment),
  /** The id of the preset that the request named; absent: none. */
  preset: optionalText,
  /** What content filters found; absent: nothing. */
  filters: Schema.optionalKey(Schema.Array(GenerationFilter)),
  /** Absent: a provider answered. */
  cache: Schema.optionalKey(GenerationCacheUse),
  session: optionalText,
  /** The `user` of the request: the caller's own word, which proves nothing. */
  externalUser: optionalText,
  trace: Schema.optionalKey(Trace)
})
export type Generation = typeof Generation.Type
