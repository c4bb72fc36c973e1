/** A step that is not tried again, to JSON and back. */
import * as Schema from "effect/Schema"
import type { DeadStep } from "../jobs/JobStore.ts"
import { type FieldsOf, number, Plain } from "./fieldsOf.ts"

/** A step that is not tried again to JSON and back. */
export const deadStepCodec: Schema.Codec<DeadStep, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    kind: Schema.String,
    id: Schema.String,
    key: Schema.String,
    payload: Plain,
    attempts: Schema.Finite,
    reason: Schema.String,
    at: Schema.Finite,
    offeredAt: number
  } satisfies FieldsOf<DeadStep>)
)
