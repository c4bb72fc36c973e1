/** Logs an outage of the storage once: what fails because of it is not logged again for each request and worker. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { StorageStatus } from "../../../instance/StorageStatus.ts"
import { StoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"

/** Applies to every logger that the instance has, the host's included. */
export const layerOutageFilter: Layer.Layer<never> = Layer.effect(
  Logger.CurrentLoggers,
  Effect.map(Logger.CurrentLoggers, (loggers) => new Set(Array.from(loggers, withoutKnownOutages)))
)

const withoutKnownOutages = <Output>(
  logger: Logger.Logger<unknown, Output>
): Logger.Logger<unknown, Output | undefined> =>
  Logger.make((entry) => (isKnownOutage(entry) ? undefined : logger.log(entry)))

const isKnownOutage = ({ cause, fiber, message }: Logger.Options<unknown>): boolean => {
  const errors = [
    ...cause.reasons.flatMap((reason) => {
      if (Cause.isDieReason(reason)) return [reason.defect]
      return Cause.isFailReason(reason) ? [reason.error] : []
    }),
    ...(Array.isArray(message) ? message.filter((part) => part instanceof Error) : [])
  ]
  if (errors.length === 0) return false
  // Queues of jobs fail with the errors of the driver themselves.
  const { recordFailure } = fiber.getRef(StorageStatus)
  return errors.every(
    (error) =>
      (error instanceof StoreUnavailable && error.isLogged === true) || recordFailure(error)
  )
}
