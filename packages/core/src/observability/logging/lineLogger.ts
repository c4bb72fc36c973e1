/** How the log looks where the host brings no logger of its own: one line each, JSON or readable. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

/** Whether people read standard output as it is written; the platform knows. Default: no. */
export const IsTerminal: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/observability/IsTerminal",
  { defaultValue: () => false }
)

/** Takes the place of Effect's default logger; a host that replaced that one keeps its own. */
export const layerLineLogger: Layer.Layer<never> = Layer.effect(
  Logger.CurrentLoggers,
  Effect.map(
    Effect.all([Logger.CurrentLoggers, IsTerminal]),
    ([loggers, isTerminal]) =>
      new Set(
        Array.from(loggers, (logger) =>
          logger === Logger.defaultLogger ? (isTerminal ? readableLogger : jsonLogger) : logger
        )
      )
  )
)

/** Annotations stand beside the message, not below it: collectors index the first level. */
const jsonLogger = Logger.withConsoleLog(
  Logger.map(Logger.formatStructured, ({ annotations, cause, level, message, timestamp }) =>
    JSON.stringify({
      timestamp,
      level,
      message,
      ...annotations,
      ...(cause === undefined ? undefined : { cause })
    })
  )
)

/** The line of a request is meant for one glance; others are Effect's own. */
const readableLogger = Logger.make<unknown, void>((entry) => {
  const { annotations, message } = Logger.formatStructured.log(entry)
  if (message !== requestMessage) return Logger.defaultLogger.log(entry)
  const { costUsd, durationMillis, method, model, outcome, path, provider, requestId, status } =
    annotations
  const parts = [
    entry.date.toISOString().slice("2000-01-01T".length, -1),
    method,
    path,
    status,
    `${String(durationMillis)} ms`,
    model,
    provider,
    outcome === "answered" ? undefined : outcome,
    typeof costUsd === "number" ? `${costUsd} USD` : undefined,
    requestId
  ]
  stdoutLogger.log({
    ...entry,
    message: parts
      .flatMap((part) => part ?? [])
      .map(String)
      .join(" ")
  })
})

const stdoutLogger = Logger.withConsoleLog(Logger.make<unknown, unknown>(({ message }) => message))

/** The message of the line that each request has. */
export const requestMessage = "request"
