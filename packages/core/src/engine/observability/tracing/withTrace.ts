/** Runs a request in a span whose name, parent and attributes come from the `trace` of the caller. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import type { Trace } from "../../../values/Trace.ts"
import { toErrorType } from "../../../values/errors/toErrorType.ts"
import { truncateText, truncateTrace } from "../generations/truncateGeneration.ts"
import { type SpanObserver, withSpan } from "./withSpan.ts"

const makeHexPattern = (length: number) => new RegExp(`^(?!0+$)[0-9a-f]{${length}}$`, "i")
const traceIdPattern = makeHexPattern(32)
const spanIdPattern = makeHexPattern(16)

/**
 * `trace_id` and `parent_span_id` set the parent when both have the W3C form. The name is `span_name`, else
 * `generation_name`, else `trace_name`. Every key becomes an attribute `trace.<key>`. Names and attributes are
 * truncated as in records. `observer` receives the span. Calls `run` at once when there is no tracer.
 */
export const withTrace = <A, E, R>(
  run: () => Effect.Effect<A, E, R>,
  trace: Trace | undefined,
  name: string,
  observer?: SpanObserver
): Effect.Effect<A, E, R> =>
  withSpan(run, () => {
    const { parent_span_id: spanId, trace_id: traceId } = trace ?? {}
    const isParented =
      traceId !== undefined &&
      spanId !== undefined &&
      traceIdPattern.test(traceId) &&
      spanIdPattern.test(spanId)
    return {
      name: truncateText(trace?.span_name ?? trace?.generation_name ?? trace?.trace_name ?? name),
      kind: "server",
      observer,
      attributes: toAttributes(trace),
      ...(isParented
        ? {
            parent: Tracer.externalSpan({
              traceId: traceId.toLowerCase(),
              spanId: spanId.toLowerCase()
            })
          }
        : undefined),
      onEnd: (_, exit) => (Exit.isFailure(exit) ? toErrorType(exit.cause) : undefined)
    }
  })

const toAttributes = (trace: Trace = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(truncateTrace(trace)).map(([key, value]) => [`trace.${key}`, value])
  )
