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
import { Settings } from "../Settings.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import { type CatalogError, CatalogInvalid } from "./CatalogErrors.ts"
import { fallbackTokens } from "./model/toModelCard.ts"
import { containSource } from "./source/containSource.ts"
import { type CatalogOverlay, applyOverlay } from "./CatalogOverlay.ts"
import type { LastGoodStore, CatalogSource } from "./source/CatalogSource.ts"
import * as Configuration from "./Configuration.ts"
import { isVideoModel } from "./model/isVideoModel.ts"
import type { ModelConfig } from "./model/Model.ts"

/** The inputs of a configuration. */
export interface CatalogInput {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig> | CatalogSource
  readonly overlay?: CatalogOverlay
  readonly lastGood?: LastGoodStore
}

/** The state of the catalog; times are milliseconds since the epoch. */
export interface CatalogStatus {
  readonly source: string
  readonly version: number
  /** When the served models were read from their source; for a last good copy, when the copy was read. */
  readonly readAt: number
  /** Why the last refresh failed; absent after a successful one. */
  readonly failure?: { readonly at: number; readonly problem: string }
}

/** Holds the configuration that requests are routed by. */
export class Catalog extends Context.Service<
  Catalog,
  {
    /** The current configuration, without I/O. It never changes; a refresh replaces it. */
    readonly current: () => Configuration.Configuration
    readonly status: () => CatalogStatus
    /** Reads the source again. When that fails or the models are invalid, the configuration stays. */
    readonly refresh: Effect.Effect<Configuration.Configuration, CatalogError>
    /** Replaces upstreams, models or overlays: all of them or none. */
    readonly replace: (
      change: Partial<CatalogInput>
    ) => Effect.Effect<Configuration.Configuration, CatalogError>
  }
>()("@signalbox/core/catalog/Catalog") {
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
        const { catalogTimeoutMillis } = yield* Settings
        const timer = yield* FiberHandle.make()
        const mutex = yield* Semaphore.make(1)
        let state: CatalogState
        let lastVersion = 0

        const read = ({ models }: CatalogInput) =>
          isSource(models)
            ? containSource(
                Effect.provideService(models.load, HttpClient.HttpClient, client),
                models.name,
                catalogTimeoutMillis
              )
            : Effect.succeed(models)

        const buildState = Effect.fnUntraced(function* (
          input: CatalogInput,
          models: ReadonlyArray<ModelConfig>
        ): Effect.fn.Return<CatalogState, CatalogInvalid> {
          const now = yield* Clock.currentTimeMillis
          const configuration = yield* buildConfiguration(
            input,
            models,
            Math.max(now, lastVersion + 1)
          )
          lastVersion = configuration.version
          return { input, models, configuration, readAt: now, isKept: false }
        })

        /** A failed write is logged and retried at the next refresh. */
        const saveLastGood = Effect.fnUntraced(function* (read: CatalogState) {
          const { input, models, readAt } = read
          if (input.lastGood === undefined || !isSource(input.models) || read.isKept) return read
          const copy: LastGoodCatalog = { readAt, models }
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
          const models = yield* read(input)
          const { failure: _, ...known } = state
          state = Equal.equals(models, state.models)
            ? { ...known, readAt: yield* Clock.currentTimeMillis }
            : yield* buildState(input, models)
          state = yield* saveLastGood(state)
          return state.configuration
        })

        const refresh = mutex.withPermit(
          Effect.suspend(() => toInvalidOnDefect(state.input, applySource(state.input))).pipe(
            Effect.tapError(({ problem }) =>
              Effect.map(Clock.currentTimeMillis, (at) => {
                state = { ...state, failure: { at, problem } }
              })
            )
          )
        )

        /** Inputs that are not in `change` stay, including the models read from their source. */
        const replaceInput = Effect.fnUntraced(function* (change: Partial<CatalogInput>) {
          const input = { ...state.input, ...change }
          const isNew = change.models !== undefined
          const made = yield* buildState(input, isNew ? yield* read(input) : state.models)
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
            refresh.pipe(Effect.catch(logFailure), Effect.delay(millis))
          )
          return FiberHandle.run(timer, Effect.forever(again))
        })

        state = yield* read(first).pipe(
          Effect.flatMap((models) => buildState(first, models)),
          Effect.flatMap(saveLastGood),
          Effect.catch((error) =>
            Effect.flatMap(readLastGood(first, catalogTimeoutMillis), (copy) =>
              copy === undefined
                ? Effect.fail(error)
                : Effect.map(
                    Effect.mapError(buildState(first, copy.models), () => error),
                    (made): CatalogState => ({
                      ...made,
                      readAt: copy.readAt,
                      isKept: true,
                      failure: { at: made.readAt, problem: error.problem }
                    })
                  )
            )
          ),
          Effect.catch(({ problem, source }) =>
            Effect.die(new RangeError(describeProblem(source, problem)))
          )
        )
        yield* schedule
        yield* warnMissingContextLength(state.configuration)

        return {
          current: () => state.configuration,
          status: () => {
            const { configuration, failure, input, readAt } = state
            return {
              source: getSourceName(input),
              version: configuration.version,
              readAt,
              ...(failure === undefined ? undefined : { failure })
            }
          },
          refresh,
          // A running refresh reads what is being replaced, so it is interrupted.
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

/** Warns once at the start, because clients rely on the context length of the card. */
const warnMissingContextLength = ({ models }: Configuration.Configuration): Effect.Effect<void> => {
  const affected = models.filter(
    (model) => !model.hidden && model.contextLength === undefined && !isVideoModel(model)
  )
  if (affected.length === 0) return Effect.void
  const named = affected.slice(0, maxNamedModels).map(({ id }) => id)
  const rest = affected.length - named.length
  return Effect.logWarning(
    `${affected.length === 1 ? "1 model states" : `${affected.length} models state`} no contextLength, ` +
      `so GET /models shows ${fallbackTokens} tokens: ` +
      `${named.join(", ")}${rest === 0 ? "" : ` and ${rest} others`}; set contextLength of the endpoints`
  )
}

const maxNamedModels = 5

/** The served configuration and its inputs. */
interface CatalogState {
  readonly input: CatalogInput
  readonly models: ReadonlyArray<ModelConfig>
  readonly configuration: Configuration.Configuration
  readonly readAt: number
  readonly failure?: NonNullable<CatalogStatus["failure"]>
  /** Whether the last good copy has these models. */
  readonly isKept: boolean
}

/** The content of the last good copy. */
interface LastGoodCatalog {
  readonly readAt: number
  readonly models: ReadonlyArray<ModelConfig>
}

const isSource = (models: CatalogInput["models"]): models is CatalogSource => "load" in models

const getSourceName = ({ models }: CatalogInput): string =>
  isSource(models) ? models.name : inlineSourceName

const inlineSourceName = "values in code"

const buildConfiguration = (
  input: CatalogInput,
  models: ReadonlyArray<ModelConfig>,
  version: number
): Effect.Effect<Configuration.Configuration, CatalogInvalid> =>
  Effect.suspend(() => {
    const source = getSourceName(input)
    const invalid = (problem: string) => Effect.fail(new CatalogInvalid({ source, problem }))
    const every = isSource(input.models) ? input.models.refreshMillis : undefined
    if (every !== undefined && !(every > 0 && every < Infinity)) {
      return invalid(
        "refreshMillis must be a number of milliseconds above 0; leave it out for never"
      )
    }
    try {
      return Effect.succeed(
        Configuration.make(version, input.upstreams, applyOverlay(models, input.overlay ?? {}))
      )
    } catch (cause) {
      if (cause instanceof RangeError) return invalid(cause.message)
      // Only a list from elsewhere may break the types; other errors are bugs in the code of the host.
      if (!isSource(input.models)) throw cause
      return Effect.andThen(
        Effect.logError(`${source} made no sense`, cause),
        invalid(unreadableProblem)
      )
    }
  })

const unreadableProblem = "no catalog could be made of it; the log says how"

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

const logFailure = ({ problem, source }: CatalogError): Effect.Effect<void> =>
  Effect.logWarning(`${source} was not taken: ${problem}`)

const describeProblem = (source: string, problem: string): string =>
  source === inlineSourceName ? problem : `${source}: ${problem}`
