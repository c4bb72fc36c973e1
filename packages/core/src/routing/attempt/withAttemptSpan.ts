/** Runs an attempt in its own span, by https://opentelemetry.io/docs/specs/semconv/gen-ai/. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import { toGenAiAttributes } from "../../engine/observability/tracing/toGenAiAttributes.ts"
import { withSpan } from "../../engine/observability/tracing/withSpan.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { AttemptSuccess } from "../RouteWork.ts"
import type { Candidate } from "../Candidate.ts"

/** `error.type` is the kind of the failure, `Interrupted` or `Defect`. */
export const withAttemptSpan = <A, R>(
  run: () => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>,
  operation: string,
  { endpoint }: Candidate
): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> =>
  withSpan(run, () => ({
    name: `${operation} ${endpoint.model}`,
    kind: "client",
    attributes: { "signalbox.endpoint.id": endpoint.id },
    onEnd: (span, exit) => {
      const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
      const served = Exit.isSuccess(exit) ? exit.value : undefined
      const known = toGenAiAttributes({
        operation,
        provider: endpoint.provider,
        model: endpoint.model,
        responseModel: served?.model,
        usage: served?.usage ?? failure?.usage
      })
      for (const [name, value] of Object.entries(known)) span.attribute(name, value)
      if (failure?.status !== undefined) {
        span.attribute("http.response.status_code", failure.status)
      }
      return Exit.isSuccess(exit) ? undefined : (failure?.kind ?? toErrorType(exit.cause))
    }
  }))
