/** A generation record, to JSON and back: money is text. */
import * as Schema from "effect/Schema"
import type {
  Generation,
  GenerationAttempt,
  GenerationReason as Reason,
  ImplausibleReport
} from "../observability/Generation.ts"
import { AccountId } from "../values/ids/AccountId.ts"
import { GenerationId } from "../values/ids/GenerationId.ts"
import { KeyHash } from "../values/ids/KeyHash.ts"
import { NanoUsd } from "../values/usage/NanoUsd.ts"
import { Trace } from "../values/Trace.ts"
import { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import { type FieldsOf, optionalTrue, optionalNumber, optionalText } from "./codecFields.ts"
import { TokenUsage } from "./TokenUsage.ts"

const money = Schema.optionalKey(NanoUsd)

/** What an attempt keeps, money aside. */
export const attemptFields = {
  endpoint: Schema.String,
  provider: Schema.String,
  outcome: Schema.String,
  status: optionalNumber,
  latencyMillis: Schema.Finite,
  firstEventMillis: optionalNumber,
  dropped: Schema.optionalKey(Schema.Array(Schema.String)),
  isByok: optionalTrue,
  credential: optionalText,
  estimated: optionalTrue,
  implausible: Schema.optionalKey(
    Schema.Struct({
      what: Schema.String,
      reported: Schema.Finite,
      atMost: Schema.Finite
    } satisfies FieldsOf<ImplausibleReport>)
  )
}

export const GenerationReason = Schema.Struct({
  endpoint: Schema.String,
  credential: optionalText,
  rule: Schema.String,
  source: Schema.String,
  wanted: Schema.String,
  found: Schema.String
} satisfies FieldsOf<Reason>)

/** A generation record to JSON and back. Amounts of nano-USD are decimal text. */
export const generationCodec: Schema.Codec<Generation, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: GenerationId,
    account: AccountId,
    workspace: WorkspaceId,
    keyHash: Schema.optionalKey(KeyHash),
    operation: Schema.Literals(["decisions", "videos", "chat"]),
    startedAt: Schema.Finite,
    latencyMillis: Schema.Finite,
    requestedModel: Schema.String,
    model: optionalText,
    provider: optionalText,
    usage: Schema.optionalKey(TokenUsage),
    cost: money,
    isByok: optionalTrue,
    upstreamCost: money,
    method: optionalText,
    labelMass: optionalNumber,
    finishReason: optionalText,
    nativeFinishReason: optionalText,
    serviceTier: optionalText,
    upstreamId: optionalText,
    streamed: optionalTrue,
    attempts: Schema.Array(
      Schema.Struct({
        ...attemptFields,
        usage: Schema.optionalKey(TokenUsage),
        cost: money,
        upstreamCost: money
      } satisfies FieldsOf<GenerationAttempt>)
    ),
    configuration: Schema.Finite,
    strategy: optionalText,
    rejected: Schema.Array(GenerationReason),
    demoted: Schema.Array(GenerationReason),
    error: optionalText,
    session: optionalText,
    user: optionalText,
    trace: Schema.optionalKey(Trace)
  } satisfies FieldsOf<Generation>)
)
