/** Calls the host of interns with a timeout, and turns everything that goes wrong into a failure without secrets. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { makeRedactor } from "../../../engine/secrets/Redactor.ts"
import { makeStreamRedactor } from "../../../engine/secrets/StreamRedactor.ts"
import { redactCause } from "../../../engine/secrets/redact.ts"
import { type ReleasedSecret, Vaults } from "../../vaults/Vaults.ts"
import type { Intern } from "../Intern.ts"
import type { InternChatEvent } from "../chat/InternTurn.ts"
import { toHostView } from "./InProcessHost.ts"
import {
  type HostedIntern,
  type InternHost,
  InternHostFailure,
  InternHostService
} from "./InternHost.ts"

interface HostCall<A> {
  /** Names the call in failures. */
  readonly operation: string
  readonly timeoutMillis: number
  readonly invoke: (host: InternHost, hosted: HostedIntern) => Effect.Effect<A, InternHostFailure>
}

/** Calls the host of interns. */
export class InternHostClient extends Context.Service<
  InternHostClient,
  {
    readonly call: <A>(intern: Intern, call: HostCall<A>) => Effect.Effect<A, InternHostFailure>
  }
>()("@signalbox/core/domains/interns/host/InternHostClient") {
  static readonly layer = Layer.effect(
    InternHostClient,
    Effect.gen(function* () {
      const host = yield* InternHostService
      const vaults = yield* Vaults

      return {
        call: Effect.fnUntraced(function* <A>(
          intern: Intern,
          { invoke, timeoutMillis, operation }: HostCall<A>
        ): Effect.fn.Return<A, InternHostFailure> {
          const {
            redactFailure,
            hosted: hostedIntern,
            toPublicMessage
          } = makeInternSecretReleaser(vaults, intern)
          const exit = yield* Effect.suspend(() => invoke(host, hostedIntern)).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMillis,
              orElse: () =>
                Effect.fail(
                  new InternHostFailure({ problem: `it took longer than ${timeoutMillis} ms` })
                )
            }),
            // An effect that interrupts itself has failed; an interruption from outside is not caught here.
            Effect.exit
          )
          if (Exit.isSuccess(exit)) return exit.value
          const failure = exit.cause.reasons.find(Cause.isFailReason)
          if (failure !== undefined) {
            const { isFinal = false, problem } = failure.error
            return yield* new InternHostFailure({
              isFinal,
              problem: `${operation}: ${toPublicMessage(problem)}`
            })
          }
          yield* Effect.logError(
            `the host of interns ${host.slug} has a fault: ${operation}`,
            redactFailure(exit.cause)
          )
          return yield* new InternHostFailure({ problem: `${operation}: it failed unexpectedly` })
        })
      }
    })
  )
}

/** Releases an intern's secrets to its host, and redacts them from the host's texts. */
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
