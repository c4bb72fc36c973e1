/** How a caller names and links a request in its own observability: five known keys and any others. */
import * as Schema from "effect/Schema"
import { optionalText } from "./schemaFields.ts"

export const knownTraceFields = {
  trace_id: optionalText,
  trace_name: optionalText,
  span_name: optionalText,
  generation_name: optionalText,
  parent_span_id: optionalText
}

/**
 * `trace_id` (32 hex digits) and `parent_span_id` (16 hex digits) set the parent of the request's span;
 * `span_name`, `generation_name` or `trace_name` names the span; every other key becomes an attribute.
 */
export const Trace = Schema.StructWithRest(Schema.Struct(knownTraceFields), [
  Schema.Record(Schema.String, Schema.Unknown)
])
export type Trace = typeof Trace.Type
