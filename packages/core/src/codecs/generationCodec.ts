/** A generation record, to JSON and back: money is text. */
import * as Schema from "effect/Schema"
import type {
  Generation,
  GenerationAttempt,
  GenerationReason as Reason,
  Implausible
} from "../observability/Generation.ts"
import { AccountId } from "../values/AccountId.ts"
import { GenerationId } from "../values/GenerationId.ts"
import { KeyHash } from "../values/KeyHash.ts"
import { NanoUsd } from "../values/NanoUsd.ts"
import { Trace } from "../values/Trace.ts"
import { WorkspaceId } from "../values/WorkspaceId.ts"
import { type FieldsOf, flag, number, text } from "./fieldsOf.ts"
import { TokenUsage } from "./TokenUsage.ts"

const money = Schema.optionalKey(NanoUsd)

/** What an attempt keeps, money aside. */
export const attemptFields = {
  endpoint: Schema.String,
  provider: Schema.String,
  outcome: Schema.String,
  status: number,
  latencyMillis: Schema.Finite,
  firstEventMillis: number,
  dropped: Schema.optionalKey(Schema.Array(Schema.String)),
  isByok: flag,
  credential: text,
  estimated: flag,
  implausible: Schema.optionalKey(
    Schema.Struct({
      what: Schema.String,
      stated: Schema.Finite,
      atMost: Schema.Finite
    } satisfies FieldsOf<Implausible>)
  )
}

export const GenerationReason = Schema.Struct({
  endpoint: Schema.String,
  credential: text,
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
    model: text,
    provider: text,
    usage: Schema.optionalKey(TokenUsage),
    cost: money,
    isByok: flag,
    upstreamCost: money,
    method: text,
    labelMass: number,
    finishReason: text,
    nativeFinishReason: text,
    serviceTier: text,
    upstreamId: text,
    streamed: flag,
    attempts: Schema.Array(
      Schema.Struct({
        ...attemptFields,
        usage: Schema.optionalKey(TokenUsage),
        cost: money,
        upstreamCost: money
      } satisfies FieldsOf<GenerationAttempt>)
    ),
    configuration: Schema.Finite,
    strategy: text,
    rejected: Schema.Array(GenerationReason),
    demoted: Schema.Array(GenerationReason),
    error: text,
    session: text,
    user: text,
    trace: Schema.optionalKey(Trace)
  } satisfies FieldsOf<Generation>)
)
