/** Writes a streamed answer as the text of its events. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { PushStream } from "../../values/push/PushStream.ts"
import * as Step from "../../values/Step.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { type ErrorRules, toErrorResponse } from "../errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../errors/toErrorResponseFromCause.ts"
import { type EventStreamOptions, withKeepalive } from "./withKeepalive.ts"

/** How an API writes an answer; each function returns the text of complete events. */
export interface AnswerWriter<A> {
  readonly write: (pieces: ReadonlyArray<A>) => string
  /** Writes the text after a complete answer. */
  readonly end: () => string
  /** Writes the text after an answer that broke off. `isExpected`: not because of a defect. */
  readonly fail: (error: ErrorResponse, isExpected: boolean) => string
}

/** The status has been sent by the time an answer breaks off, so the failure is an event, too. */
export const writeAnswer = <A, E extends ExpectedError>(
  pieces: PushStream<A, E>,
  writer: AnswerWriter<A>,
  options: EventStreamOptions,
  rules?: ErrorRules
): PushStream<string> => {
  const events: PushStream<string, E> = {
    run: (push) =>
      pieces.run((arrived) => {
        const text = writer.write(arrived)
        return text === "" ? Effect.void : push([text])
      })
  }
  return {
    run: (push) =>
      Step.matchCause(withKeepalive(events, options).run(push), {
        onSuccess: () => push([writer.end()]),
        onFailure: (cause) =>
          Effect.flatMap(writeFailure(cause, writer, rules), (text) => push([text]))
      })
  }
}

const writeFailure = <E extends ExpectedError>(
  cause: Cause.Cause<E>,
  { fail }: Pick<AnswerWriter<never>, "fail">,
  rules: ErrorRules | undefined
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(fail(toErrorResponse(failed.error, rules), true))
  // The client has disconnected.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(toErrorResponseFromCause(cause, false, rules), (error) => fail(error, false))
}
