/** A limit on spending, to JSON and back. */
import * as Schema from "effect/Schema"
import type { Limit } from "../ledger/Limit.ts"
import { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { FieldsOf } from "./codecFields.ts"

/** A limit on spending to JSON and back; it may have no end, and its cap is decimal text. */
export const limitCodec: Schema.Codec<Limit, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    kind: Schema.Literals(["credits", "key", "workspace", "guardrail"]),
    id: Schema.String,
    subject: Schema.optionalKey(Schema.String.pipe(Schema.brand("Subject"))),
    interval: Schema.Literals(["daily", "weekly", "monthly", "lifetime"]),
    window: Schema.String,
    endsAt: Schema.Number,
    cap: NanoUsd,
    countsByok: Schema.Boolean
  } satisfies FieldsOf<Limit>)
)
