/** Runs what knows a secret so that nothing it fails or breaks with repeats it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { format } from "effect/Formatter"
import * as Redacted from "effect/Redacted"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { withoutSecrets } from "../upstreams/withoutSecrets.ts"

/** An upstream of the host's own may repeat what it was called with, also where it throws instead of failing. */
export const discreetly = <A, R>(
  secret: Redacted.Redacted,
  run: () => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.catchCause(Effect.suspend(run), (cause) => {
    const blank = blanking(Redacted.value(secret))
    return Effect.failCause(
      Cause.fromReasons(
        Cause.map(cause, (failure) => discreet(failure, blank)).reasons.map((reason) =>
          Cause.isDieReason(reason) ? Cause.makeDieReason(struckOut(reason.defect, blank)) : reason
        )
      )
    )
  })

type Blank = (text: string) => string

/** A text that is no JSON itself may hold some. */
const blanking = (secret: string): Blank => {
  const secrets = Array.from(new Set([secret, JSON.stringify(secret).slice(1, -1)]))
  return (text) => withoutSecrets(text, secrets)
}

const discreet = (failure: UpstreamFailure, blank: Blank): UpstreamFailure => {
  const { detail, kind, phase, retryAfterMillis, status, usage } = failure
  if (detail === undefined) return failure
  const said = blank(detail)
  return said === detail
    ? failure
    : new UpstreamFailure({
        kind,
        detail: said,
        ...(phase === undefined ? undefined : { phase }),
        ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }),
        ...(status === undefined ? undefined : { status }),
        ...(usage === undefined ? undefined : { usage })
      })
}

/**
 * What it says, where it was thrown and what caused it: nothing else of a defect is kept, for a secret
 * may be anywhere in it.
 */
const struckOut = (defect: unknown, blank: Blank, depth = 0): unknown => {
  if (!(defect instanceof Error)) return blank(format(defect))
  const { cause, message, name, stack } = defect
  const said = new Error(
    blank(message),
    cause === undefined || depth === mostCauses
      ? undefined
      : { cause: struckOut(cause, blank, depth + 1) }
  )
  said.name = blank(name)
  said.stack = blank(stack ?? "")
  return said
}

/** An error may be its own cause. */
const mostCauses = 5
