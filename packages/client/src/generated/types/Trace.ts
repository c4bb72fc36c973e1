/** How a caller names and links a request in its own observability: five known keys and any others. */

export type Trace = {
  readonly trace_id?: string
  readonly trace_name?: string
  readonly span_name?: string
  readonly generation_name?: string
  readonly parent_span_id?: string
  readonly [field: string]: unknown
}
