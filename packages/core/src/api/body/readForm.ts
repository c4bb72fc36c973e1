/** Reads the form of a request, from its stream or from the bytes that the host's parser kept. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Settings } from "../../instance/Settings.ts"
import { toInvalidBody } from "../../values/json/parseJson.ts"
import * as Step from "../../values/Step.ts"
import { BodyInflater } from "./BodyInflater.ts"
import {
  type BodyReaderError,
  BufferedBodies,
  BufferReservation,
  toRequestTooLarge
} from "./BodyReader.ts"
import { BodyReceiver } from "./BodyReceiver.ts"
import { type BodyRequest, lostForm } from "./BodyRequest.ts"
import { type Form, type FormLimit, FormReader } from "./FormReader.ts"
import { type BodyError, openBody, unreadableBody } from "./readBody.ts"

/**
 * Reads a form within `limit`. A form that exceeds it is rejected as soon as that is known, and the rest is not read. Files
 * stay in memory, and so reserved, until the response has been sent, because every attempt may need them.
 */
export type ReadForm = (request: BodyRequest, limit: FormLimit) => Effect.Effect<Form, BodyError>

/** Makes the reader of forms with the settings of the current context, and its bound on buffered bytes. */
export const makeReadForm: Effect.Effect<ReadForm> = Effect.gen(function* () {
  const settings = yield* Settings
  const buffered = yield* BufferedBodies
  const inflater = yield* BodyInflater
  const clock = yield* Clock.Clock
  return (request, limit) =>
    Step.flatMap(
      openBody(request, limit, inflater, toHostBytes),
      ({ brokenOff = unreadableBody, source }) => {
        const reservation = new BufferReservation(buffered, settings.maxBufferedBodyBytes)
        const reader = new FormReader(request.headers, limit, reservation)
        const receiver = new BodyReceiver<Form>(source, reader, brokenOff, clock, settings)
        return Effect.andThen(
          Scope.addFinalizer(
            request.scope,
            Effect.sync(() => reservation.release())
          ),
          Effect.onExit(receiver, () => Effect.sync(() => receiver.stop()))
        )
      }
    )
})

/** A parser that keeps the bytes leaves the form as it was; text and objects have lost its files. */
const toHostBytes = (
  value: unknown,
  { bytes, setting }: FormLimit
): Effect.Effect<Uint8Array, BodyReaderError> => {
  if (value instanceof Error) return Effect.fail(unreadableBody)
  if (!(value instanceof Uint8Array)) return Effect.fail(toInvalidBody(lostForm))
  return value.length > bytes
    ? Effect.fail(toRequestTooLarge(bytes, setting))
    : Effect.succeed(value)
}
