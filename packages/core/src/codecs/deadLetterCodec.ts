/** A step that is not tried again, to JSON and back. */
import * as Schema from "effect/Schema"
import type { DeadLetter } from "../jobs/JobStore.ts"
import { type FieldsOf, optionalNumber, UnknownJson } from "./codecFields.ts"

/** A step that is not tried again to JSON and back. */
export const deadLetterCodec: Schema.Codec<DeadLetter, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    kind: Schema.String,
    id: Schema.String,
    key: Schema.String,
    payload: UnknownJson,
    attempts: Schema.Finite,
    reason: Schema.String,
    at: Schema.Finite,
    offeredAt: optionalNumber
  } satisfies FieldsOf<DeadLetter>)
)
