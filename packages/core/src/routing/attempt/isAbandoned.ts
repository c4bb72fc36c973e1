/** Whether an attempt was given up while its provider may go on. */
import * as Cause from "effect/Cause"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"

/**
 * After an interruption or a timeout the provider may continue, and charge for it. A provider that
 * fails before its first event is assumed to charge nothing.
 */
export const isAbandoned = (
  cause: Cause.Cause<unknown>,
  failure: UpstreamFailure | undefined
): boolean =>
  failure === undefined
    ? Cause.hasInterruptsOnly(cause)
    : failure.kind === "timeout" && failure.phase !== "connect" && failure.phase !== "queue"
