/** Fetches hosts with the secrets of a vault, as an intern does. */
import { type HostedIntern, InternHostFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/**
 * Fetches `url` with each secret that is released for its host, in a header of the secret's name,
 * and returns the status. The connection goes to the origin `at`, because nothing listens at the
 * host's name.
 */
export const fetchWithSecrets: (
  intern: HostedIntern,
  url: string,
  at?: string
) => Effect.Effect<number, InternHostFailure> = Effect.fnUntraced(function* (intern, url, at) {
  const { hostname, origin, pathname, search } = new URL(url)
  const released = yield* Effect.mapError(
    intern.releaseSecrets(hostname),
    ({ name }) => new InternHostFailure({ problem: `the secret ${name} does not open` })
  )
  const answer = yield* Effect.tryPromise({
    try: (signal) =>
      fetch((at ?? origin) + pathname + search, {
        signal,
        headers: Object.fromEntries(
          released.map(({ name, value }) => [name, Redacted.value(value)])
        )
      }),
    catch: () => new InternHostFailure({ problem: `${origin} does not answer` })
  })
  return answer.status
})
