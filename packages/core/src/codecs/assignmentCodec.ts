/** Whom a guardrail restricts, to JSON and back. */
import * as Schema from "effect/Schema"
import { Assignment } from "../guardrails/Assignment.ts"

/** Whom a guardrail restricts to JSON and back. */
export const assignmentCodec: Schema.Codec<Assignment, Schema.Json> = Schema.toCodecJson(Assignment)
