/** Compares the clock of this machine with a provider's, by the header `Date`. */
import * as Effect from "effect/Effect"
import type { Check } from "./Check.ts"
import { checkClock } from "./checkStorage.ts"

/** Undefined if the provider does not say the time. Nothing secret is sent. */
export const checkServerClock = (origin: string): Effect.Effect<Check | undefined> =>
  Effect.tryPromise(async (signal) => {
    const before = Date.now()
    const { headers } = await fetch(origin, { method: "HEAD", redirect: "manual", signal })
    const said = Date.parse(headers.get("date") ?? "")
    // The header has no fractions of a second.
    return Number.isNaN(said) ? undefined : said + 500 - (before + Date.now()) / 2
  }).pipe(
    Effect.timeout("10 seconds"),
    Effect.orElseSucceed(() => undefined),
    Effect.map((ahead) =>
      ahead === undefined ? undefined : checkClock(new URL(origin).host, ahead)
    )
  )
