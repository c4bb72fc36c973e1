/** How a caller names and links a request in its own observability: free-form, five known keys. */
import * as Schema from "effect/Schema"

/**
 * `trace_id` (32 hex digits) and `parent_span_id` (16 hex digits) parent the request's span,
 * `span_name`, `generation_name` or `trace_name` name it, every other key becomes an attribute.
 */
export const Trace = Schema.StructWithRest(
  Schema.Struct({
    trace_id: Schema.optionalKey(Schema.String),
    trace_name: Schema.optionalKey(Schema.String),
    span_name: Schema.optionalKey(Schema.String),
    generation_name: Schema.optionalKey(Schema.String),
    parent_span_id: Schema.optionalKey(Schema.String)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
export type Trace = typeof Trace.Type
