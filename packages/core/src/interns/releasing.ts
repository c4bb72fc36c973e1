/** An intern as its host gets to see it, and what of its secrets must be struck out of what the host says. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { redactorOf } from "../secrets/Redactor.ts"
import { sifting } from "../secrets/sifting.ts"
import { struckOut } from "../secrets/struckOut.ts"
import { type ReleasedSecret, Vaults } from "../vaults/Vaults.ts"
import { factsOf } from "./factsOf.ts"
import type { Intern } from "./Intern.ts"
import type { HostedIntern } from "./InternHost.ts"
import type { InternChatEvent } from "./InternTurn.ts"

export const releasing = Effect.map(Vaults, (vaults) => (intern: Intern) => {
  /** Each value once: its host may hold on to it, and ask for every request it ever sends. */
  const released = new Map<string, ReleasedSecret["value"]>()
  let redactor = redactorOf([])
  /** Of what comes in pieces: shorter ones are words like any other. */
  let sieveRedactor = redactor
  const { attachedVault, vault } = intern
  const vaultIds = attachedVault === null ? [vault] : [vault, attachedVault]
  const hosted: HostedIntern = {
    ...factsOf(intern),
    release: (to) =>
      Effect.tap(vaults.release(vaultIds, to), (secrets) =>
        Effect.sync(() => {
          const before = released.size
          for (const { value } of secrets) released.set(Redacted.value(value), value)
          if (released.size === before) return
          redactor = redactorOf(released.keys())
          sieveRedactor = redactorOf(Array.from(released.keys()).filter(isLong))
        })
      )
  }
  return {
    hosted,
    /** Fit to be shown to callers: on one line, its first 500 characters, without what was released. */
    shown: (problem: string): string =>
      redactor
        .inText(problem)
        .replaceAll(/\p{Cc}+/gu, " ")
        .slice(0, 500),
    /** What it answers, without what was released by then: a host may repeat what it was handed, in pieces too. */
    sifted: <E>(events: Stream.Stream<InternChatEvent, E>): Stream.Stream<InternChatEvent, E> =>
      Stream.mapAccum(
        events,
        () => sifting<InternChatEvent>(),
        (sieve, event) => {
          sieve.learn(sieveRedactor)
          const told = sieve.push({ ...event })
          // Nobody waits for what comes after the last one.
          return [sieve, event.type === "delta" ? told : [...told, ...sieve.rest()]]
        },
        { onHalt: (sieve) => sieve.rest() }
      ),
    /** Fit to be logged. */
    blank: (cause: Cause.Cause<unknown>): Cause.Cause<unknown> =>
      // The longest first, or one that another begins with would leave the rest of that behind.
      Array.from(released)
        .toSorted(([self], [that]) => that.length - self.length)
        .reduce((left, [, value]) => struckOut(left, value), cause)
  }
})

const isLong = ({ length }: string): boolean => length >= 8
