/** Reads a catalog source within the limits of the settings. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import { CatalogUnavailable } from "../CatalogErrors.ts"
import {
  type CatalogReading,
  type CatalogSource,
  ReportSkipped,
  type SkippedEntry
} from "./CatalogSource.ts"

/**
 * Defects and interruptions inside `effect` are logged and become `CatalogUnavailable`. Interrupting this effect
 * interrupts it without waiting.
 */
export const containSource = <A, R>(
  effect: Effect.Effect<A, CatalogUnavailable, R>,
  source: string,
  timeoutMillis: number
): Effect.Effect<A, CatalogUnavailable, R> =>
  Effect.flatMap(Effect.forkChild(effect), (fiber) =>
    Fiber.await(fiber).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () =>
          Effect.fail(
            new CatalogUnavailable({ source, problem: `it took longer than ${timeoutMillis} ms` })
          )
      }),
      Effect.onExit(() => Effect.sync(() => fiber.interruptUnsafe())),
      Effect.flatMap((exit) =>
        Exit.isSuccess(exit) ? Effect.succeed(exit.value) : toCatalogUnavailable(exit.cause, source)
      )
    )
  )

const toCatalogUnavailable = (
  cause: Cause.Cause<CatalogUnavailable>,
  source: string
): Effect.Effect<never, CatalogUnavailable> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  return failed === undefined
    ? Effect.andThen(
        Effect.logError(`${source} broke`, cause),
        Effect.fail(new CatalogUnavailable({ source, problem: "it broke; the log says how" }))
      )
    : Effect.fail(failed.error)
}

/** Fails when the source does, takes too long, or lists too many models. */
export const readSource = (
  source: CatalogSource,
  settings: SettingsShape
): Effect.Effect<CatalogReading, CatalogUnavailable, HttpClient.HttpClient> =>
  Effect.suspend(() => {
    const skipped: Array<SkippedEntry> = []
    return containSource(
      source.load.pipe(
        Effect.provideService(Settings, settings),
        Effect.provideService(ReportSkipped, (entry) => void skipped.push(entry))
      ),
      source.name,
      settings.catalogTimeoutMillis
    ).pipe(
      Effect.map((models): CatalogReading => ({ models, skipped })),
      Effect.filterOrFail(
        ({ models, skipped }) => models.length + skipped.length <= settings.maxCatalogModels,
        () => toTooManyModels(source.name, settings)
      )
    )
  })

/** For sources that stop reading at the limit. */
export const toTooManyModels = (
  source: string,
  { maxCatalogModels }: Pick<SettingsShape, "maxCatalogModels">
): CatalogUnavailable =>
  new CatalogUnavailable({
    source,
    problem: `it lists more than ${maxCatalogModels} models; raise settings.maxCatalogModels if they are meant`
  })

/** Like `toTooManyModels`, of the bytes that were read. */
export const toCatalogTooLarge = (
  source: string,
  { maxCatalogBytes }: Pick<SettingsShape, "maxCatalogBytes">
): CatalogUnavailable =>
  new CatalogUnavailable({
    source,
    problem: `it is larger than ${maxCatalogBytes} bytes; raise settings.maxCatalogBytes if that is meant`
  })
