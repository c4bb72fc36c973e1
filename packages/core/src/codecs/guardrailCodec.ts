/** A guardrail, to JSON and back. */
import * as Schema from "effect/Schema"
import { Guardrail } from "../guardrails/Guardrail.ts"

/** A guardrail to JSON and back. */
export const guardrailCodec: Schema.Codec<Guardrail, Schema.Json> = Schema.toCodecJson(Guardrail)
