/** Releases an intern's secrets to its host, and redacts them from the host's texts. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { makeRedactor } from "../../../engine/secrets/Redactor.ts"
import { makeStreamRedactor } from "../../../engine/secrets/StreamRedactor.ts"
import { redactCause } from "../../../engine/secrets/redact.ts"
import type { ReleasedSecret, Vaults } from "../../vaults/Vaults.ts"
import { toHostView } from "./InProcessHost.ts"
import type { Intern } from "../Intern.ts"
import type { HostedIntern } from "./InternHost.ts"
import type { InternChatEvent } from "../chat/InternTurn.ts"

export const makeInternSecretReleaser = (vaults: Vaults["Service"], intern: Intern) => {
  /** Keyed by value, because the host asks again for every request it sends. */
  const releasedValues = new Map<string, ReleasedSecret["value"]>()
  let redactor = makeRedactor([])
  /** For streamed text, where a short secret may be an ordinary word. */
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
    /** For callers: one line of at most 500 characters, with the released secrets redacted. */
    toPublicMessage: (problem: string): string =>
      redactor
        .redactText(problem)
        .replaceAll(/\p{Cc}+/gu, " ")
        .slice(0, 500),
    /** Redacts the secrets released so far, even when they are split across events. */
    redactEvents: <E>(
      events: Stream.Stream<InternChatEvent, E>
    ): Stream.Stream<InternChatEvent, E> =>
      Stream.mapAccum(
        events,
        () => makeStreamRedactor<InternChatEvent>(),
        (streamRedaction, event) => {
          streamRedaction.setRedactor(streamRedactor)
          const redacted = streamRedaction.push({ ...event })
          // The reader stops at the last event, so the buffered text must come before it.
          return [
            streamRedaction,
            event.type === "delta" ? redacted : [...redacted, ...streamRedaction.flush()]
          ]
        },
        { onHalt: (streamRedaction) => streamRedaction.flush() }
      ),
    /** For logs. */
    redactFailure: (cause: Cause.Cause<unknown>): Cause.Cause<unknown> =>
      // The longest first: a secret that is a prefix of another would leave the rest of that one.
      Array.from(releasedValues)
        .toSorted(([self], [that]) => that.length - self.length)
        .reduce((left, [, value]) => redactCause(left, value), cause)
  }
}

const isLongSecret = ({ length }: string): boolean => length >= 8
