/** An API key, to JSON and back. */
import * as Schema from "effect/Schema"
import { ApiKey } from "../auth/ApiKey.ts"

/** What is kept of an API key to JSON and back. */
export const apiKeyCodec: Schema.Codec<ApiKey, Schema.Json> = Schema.toCodecJson(ApiKey)
