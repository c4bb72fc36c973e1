/** What somebody has spent, to JSON and back. */
import * as Schema from "effect/Schema"
import type { Spend } from "../ledger/SpendCounters.ts"
import { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { FieldsOf } from "./codecFields.ts"

/** What somebody has spent to JSON and back: amounts are decimal text. */
export const spendCodec: Schema.Codec<Spend, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    usage: NanoUsd,
    usage_daily: NanoUsd,
    usage_weekly: NanoUsd,
    usage_monthly: NanoUsd,
    byok_usage: NanoUsd,
    byok_usage_daily: NanoUsd,
    byok_usage_weekly: NanoUsd,
    byok_usage_monthly: NanoUsd
  } satisfies FieldsOf<Spend>)
)
