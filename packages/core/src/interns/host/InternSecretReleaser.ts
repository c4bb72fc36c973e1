/** An intern as its host gets to see it, and what of its secrets must be struck out of what the host says. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { makeRedactor } from "../../secrets/Redactor.ts"
import { makeStreamRedactor } from "../../secrets/StreamRedactor.ts"
import { redactCause } from "../../secrets/redactCause.ts"
import { type ReleasedSecret, Vaults } from "../../vaults/Vaults.ts"
import { toHostView } from "./toHostView.ts"
import type { Intern } from "../Intern.ts"
import type { HostedIntern } from "./InternHost.ts"
import type { InternChatEvent } from "../chat/InternTurn.ts"

export const makeInternSecretReleaser = Effect.map(Vaults, (vaults) => (intern: Intern) => {
  /** Each value once: its host may hold on to it, and ask for every request it ever sends. */
  const releasedValues = new Map<string, ReleasedSecret["value"]>()
  let redactor = makeRedactor([])
  /** Of what comes in pieces: shorter ones are words like any other. */
  let streamRedactor = redactor
  const { attachedVault, vault } = intern
  const vaultIds = attachedVault === null ? [vault] : [vault, attachedVault]
  const hostedIntern: HostedIntern = {
    ...toHostView(intern),
    releaseSecrets: (to) =>
      Effect.tap(vaults.release(vaultIds, to), (secrets) =>
        Effect.sync(() => {
          const before = releasedValues.size
          for (const { value } of secrets) releasedValues.set(Redacted.value(value), value)
          if (releasedValues.size === before) return
          redactor = makeRedactor(releasedValues.keys())
          streamRedactor = makeRedactor(Array.from(releasedValues.keys()).filter(isLongSecret))
        })
      )
  }
  return {
    hosted: hostedIntern,
    /** Fit to be shown to callers: on one line, its first 500 characters, without what was released. */
    toPublicMessage: (problem: string): string =>
      redactor
        .redactText(problem)
        .replaceAll(/\p{Cc}+/gu, " ")
        .slice(0, 500),
    /** What it answers, without what was released by then: a host may repeat what it was handed, in pieces too. */
    redactEvents: <E>(
      events: Stream.Stream<InternChatEvent, E>
    ): Stream.Stream<InternChatEvent, E> =>
      Stream.mapAccum(
        events,
        () => makeStreamRedactor<InternChatEvent>(),
        (sieve, event) => {
          sieve.setRedactor(streamRedactor)
          const redacted = sieve.push({ ...event })
          // Nobody waits for what comes after the last one.
          return [sieve, event.type === "delta" ? redacted : [...redacted, ...sieve.flush()]]
        },
        { onHalt: (sieve) => sieve.flush() }
      ),
    /** Fit to be logged. */
    redactFailure: (cause: Cause.Cause<unknown>): Cause.Cause<unknown> =>
      // The longest first, or one that another begins with would leave the rest of that behind.
      Array.from(releasedValues)
        .toSorted(([self], [that]) => that.length - self.length)
        .reduce((left, [, value]) => redactCause(left, value), cause)
  }
})

const isLongSecret = ({ length }: string): boolean => length >= 8
