/** Holds the configuration that requests are routed by: reads and validates it, and swaps it as a whole. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as FiberHandle from "effect/FiberHandle"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../../instance/Settings.ts"
import {
  buildConfiguration,
  type CatalogInput,
  getSourceName,
  inlineSourceName,
  isSource,
  unreadableProblem
} from "./buildConfiguration.ts"
import { type CatalogError, CatalogInvalid, CatalogUnavailable } from "./CatalogErrors.ts"
import {
  logFailure,
  warnMissingContextLength,
  warnSkipped,
  warnUnlisted,
  warnVanished
} from "./catalogWarnings.ts"
import { containSource, readSource } from "./source/readSource.ts"
import type { CatalogReading, SkippedEntry } from "./source/CatalogSource.ts"
import type { Configuration } from "./Configuration.ts"
import type { ModelConfig } from "./model/Model.ts"
import { DefaultPrices } from "./prices/PriceBook.ts"
import { loadPrices } from "./prices/loadPrices.ts"

/** The state of the catalog; times are milliseconds since the epoch. */
export interface CatalogStatus {
  readonly source: string
  readonly version: number
  /** When the served models were read from their source; for a last good copy, when the copy was read. */
  readonly readAt: number
  /** Why the last refresh failed; absent after a successful one. */
  readonly failure?: { readonly at: number; readonly problem: string }
  /** Entries of the source that are not served because they are invalid. Only the first ones are named. */
  readonly skipped?: { readonly count: number; readonly entries: ReadonlyArray<SkippedEntry> }
}

export type { CatalogInput } from "./buildConfiguration.ts"

/** Holds the configuration that requests are routed by. */
export class Catalog extends Context.Service<
  Catalog,
  {
    /** The current configuration, without I/O. It never changes; a refresh replaces it. */
    readonly current: () => Configuration
    readonly status: () => CatalogStatus
    /** Reads the source again. When that fails or the models are invalid, the configuration stays. */
    readonly refresh: Effect.Effect<Configuration, CatalogError>
    /** Replaces upstreams, models or overlays: all of them or none. */
    readonly replace: (change: Partial<CatalogInput>) => Effect.Effect<Configuration, CatalogError>
  }
>()("@signalbox/core/engine/catalog/Catalog") {
  /**
   * Reads the source while it is built, or its last good copy when that fails. Dies with a `RangeError` when neither
   * gives a valid configuration.
   */
  static readonly layer = (
    first: CatalogInput
  ): Layer.Layer<Catalog, never, HttpClient.HttpClient> =>
    Layer.effect(
      Catalog,
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const settings = yield* Settings
        const { catalogTimeoutMillis } = settings
        const defaultPrices = yield* DefaultPrices
        const timer = yield* FiberHandle.make()
        const mutex = yield* Semaphore.make(1)
        let state: CatalogState
        let lastVersion = 0

        const read = ({ models }: CatalogInput) =>
          isSource(models)
            ? Effect.provideService(readSource(models, settings), HttpClient.HttpClient, client)
            : Effect.succeed<CatalogReading>({ models, skipped: [] })

        const buildState = Effect.fnUntraced(function* (
          input: CatalogInput,
          reading: CatalogReading
        ): Effect.fn.Return<CatalogState, CatalogInvalid> {
          const now = yield* Clock.currentTimeMillis
          const { configuration, skipped, unlisted } = yield* buildConfiguration(
            input,
            reading,
            Math.max(now, lastVersion + 1),
            yield* loadPrices({ prices: defaultPrices, ...input }, reading.models)
          )
          lastVersion = configuration.version
          if (unlisted.length > 0) yield* warnUnlisted(unlisted)
          return { input, reading, configuration, skipped, readAt: now, isKept: false }
        })

        /** A failed write is logged and retried at the next refresh. */
        const saveLastGood = Effect.fnUntraced(function* (read: CatalogState) {
          const { input, readAt, reading } = read
          if (input.lastGood === undefined || !isSource(input.models) || read.isKept) return read
          if (isUnexpectedlyEmpty(input, reading)) return read
          const copy: LastGoodCatalog = { readAt, models: reading.models }
          return yield* containSource(
            Effect.suspend(() => input.lastGood?.write(copy) ?? Effect.void),
            "the last good catalog",
            catalogTimeoutMillis
          ).pipe(
            Effect.match({
              onSuccess: () => ({ ...read, isKept: true }),
              onFailure: () => read
            }),
            Effect.tap(({ isKept }) =>
              isKept ? Effect.void : Effect.logWarning("the last good catalog could not be kept")
            )
          )
        })

        const applySource = Effect.fnUntraced(function* (input: CatalogInput) {
          const reading = yield* read(input)
          yield* refuseEmpty(input, reading, state.configuration.models.length)
          const { failure: _, ...known } = state
          if (Equal.equals(reading, state.reading)) {
            state = { ...known, readAt: yield* Clock.currentTimeMillis }
          } else {
            const before = state
            state = yield* buildState(input, reading)
            yield* warnSkipped(state)
            yield* warnVanished(before, state)
          }
          state = yield* saveLastGood(state)
          return state.configuration
        })

        const refresh = mutex.withPermit(
          Effect.suspend(() => toInvalidOnDefect(state.input, applySource(state.input))).pipe(
            Effect.tapError((error) =>
              Effect.flatMap(Clock.currentTimeMillis, (at) => {
                state = { ...state, failure: { at, problem: error.problem } }
                return logFailure(error)
              })
            )
          )
        )

        /** Inputs that are not in `change` stay, including the models read from their source. */
        const replaceInput = Effect.fnUntraced(function* (change: Partial<CatalogInput>) {
          const input = { ...state.input, ...change }
          const isNew = change.models !== undefined
          const reading = isNew ? yield* read(input) : state.reading
          if (isNew) yield* refuseEmpty(input, reading, state.configuration.models.length)
          const made = yield* buildState(input, reading)
          yield* warnSkipped(made)
          const { failure, isKept, readAt } = state
          state = isNew
            ? yield* saveLastGood(made)
            : { ...made, isKept, readAt, ...(failure === undefined ? undefined : { failure }) }
          return state.configuration
        })

        const schedule = Effect.suspend(() => {
          const { models } = state.input
          const every = isSource(models) ? models.refreshMillis : undefined
          if (every === undefined) return FiberHandle.clear(timer)
          const again = Effect.flatMap(Random.nextBetween(0.8 * every, 1.2 * every), (millis) =>
            refresh.pipe(Effect.ignore, Effect.delay(millis))
          )
          return FiberHandle.run(timer, Effect.forever(again))
        })

        const startFromCopy = (error: CatalogError) =>
          Effect.flatMap(readLastGood(first, catalogTimeoutMillis), (copy) =>
            copy === undefined
              ? Effect.fail(error)
              : Effect.map(
                  Effect.mapError(buildState(first, { ...copy, skipped: [] }), () => error),
                  (made): CatalogState => ({
                    ...made,
                    readAt: copy.readAt,
                    isKept: true,
                    failure: { at: made.readAt, problem: error.problem }
                  })
                ).pipe(Effect.tap(logFailure(error)))
          )

        state = yield* read(first).pipe(
          Effect.tap((reading) =>
            isUnexpectedlyEmpty(first, reading)
              ? Effect.flatMap(readLastGood(first, catalogTimeoutMillis), (copy) =>
                  refuseEmpty(first, reading, copy?.models.length ?? 0)
                )
              : Effect.void
          ),
          Effect.flatMap((reading) => buildState(first, reading)),
          Effect.flatMap(saveLastGood),
          Effect.catch(startFromCopy),
          Effect.catch(({ problem, source }) =>
            Effect.die(new RangeError(describeProblem(source, problem)))
          )
        )
        yield* warnSkipped(state)
        yield* schedule
        yield* warnMissingContextLength(state.configuration)

        return {
          current: () => state.configuration,
          status: () => {
            const { configuration, failure, input, readAt, skipped } = state
            return {
              source: getSourceName(input),
              version: configuration.version,
              readAt,
              ...(failure === undefined ? undefined : { failure }),
              ...(skipped.length === 0 ? undefined : { skipped: toSkippedReport(skipped) })
            }
          },
          refresh,
          // Interrupts a running refresh: it reads from what is being replaced.
          replace: (change) =>
            FiberHandle.clear(timer).pipe(
              Effect.andThen(
                mutex.withPermit(
                  Effect.suspend(() =>
                    toInvalidOnDefect({ ...state.input, ...change }, replaceInput(change))
                  )
                )
              ),
              Effect.ensuring(schedule)
            )
        }
      })
    )
}

/** The served configuration and its inputs. */
interface CatalogState {
  readonly input: CatalogInput
  readonly reading: CatalogReading
  readonly configuration: Configuration
  /** The invalid entries of the reading, including those that its source could not turn into models. */
  readonly skipped: ReadonlyArray<SkippedEntry>
  readonly readAt: number
  readonly failure?: NonNullable<CatalogStatus["failure"]>
  /** Whether the last good copy has these models. */
  readonly isKept: boolean
}

/** Whether its source would have to allow that. */
const isUnexpectedlyEmpty = (
  { models }: CatalogInput,
  { models: read, skipped }: CatalogReading
): boolean =>
  isSource(models) && models.allowEmpty !== true && read.length === 0 && skipped.length === 0

/** Servers answer with an empty list when they cannot read their own: https://github.com/BerriAI/litellm/issues/41502. */
const refuseEmpty = (
  input: CatalogInput,
  reading: CatalogReading,
  before: number
): Effect.Effect<void, CatalogUnavailable> =>
  before > 0 && isUnexpectedlyEmpty(input, reading)
    ? Effect.fail(
        new CatalogUnavailable({
          source: getSourceName(input),
          problem: `it lists no models, and listed ${before} before; set allowEmpty of the source if that is meant`
        })
      )
    : Effect.void

/** Health reports stay small, with any number of invalid entries. */
const toSkippedReport = (skipped: ReadonlyArray<SkippedEntry>): CatalogStatus["skipped"] & {} => ({
  count: skipped.length,
  entries: skipped.slice(0, maxNamedEntries)
})

const maxNamedEntries = 20

/** The content of the last good copy. */
interface LastGoodCatalog {
  readonly readAt: number
  readonly models: ReadonlyArray<ModelConfig>
}

/** A list from elsewhere may cause defects, for example by endless nesting. */
const toInvalidOnDefect = <A>(
  input: CatalogInput,
  taking: Effect.Effect<A, CatalogError>
): Effect.Effect<A, CatalogError> =>
  isSource(input.models)
    ? Effect.catchDefect(taking, (defect) =>
        Effect.andThen(
          Effect.logError(`${getSourceName(input)} made no sense`, defect),
          Effect.fail(
            new CatalogInvalid({ source: getSourceName(input), problem: unreadableProblem })
          )
        )
      )
    : taking

/** Undefined when there is no copy, or it cannot be read. */
const readLastGood = (
  { lastGood, models }: CatalogInput,
  timeoutMillis: number
): Effect.Effect<LastGoodCatalog | undefined> =>
  lastGood === undefined || !isSource(models)
    ? Effect.undefined
    : Effect.match(
        containSource(
          Effect.suspend(() => lastGood.read),
          "the last good catalog",
          timeoutMillis
        ),
        {
          onFailure: () => undefined,
          onSuccess: (copy) => (isLastGoodCatalog(copy) ? copy : undefined)
        }
      )

/** Checks the shape only; the models are validated like any others. */
const isLastGoodCatalog = (copy: unknown): copy is LastGoodCatalog =>
  Predicate.isObject(copy) &&
  Array.isArray(copy["models"]) &&
  typeof copy["readAt"] === "number" &&
  Number.isSafeInteger(copy["readAt"])

const describeProblem = (source: string, problem: string): string =>
  source === inlineSourceName ? problem : `${source}: ${problem}`
