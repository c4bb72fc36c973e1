/** The default logger: one line per entry, as JSON or readable text. */
import { IsTerminal } from "./IsTerminal.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { requestMessage } from "./RequestFacts.ts"

/** Replaces the default logger of Effect; loggers of the host stay. */
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

/** Annotations are at the top level, because collectors index it. */
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

/** Formats request lines compactly; other entries use the default logger of Effect. */
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
