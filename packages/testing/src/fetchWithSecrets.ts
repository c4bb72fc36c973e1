/** What an intern does with the secrets of its vault: it shows them to the hosts they are for. */
import { type HostedIntern, InternHostFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/**
 * The intern fetches `url` with each secret that is released for the host in it, in a header of the secret's name; gives
 * the status it got. Nothing listens at many names: `at` is where the connection goes to instead, an origin.
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
