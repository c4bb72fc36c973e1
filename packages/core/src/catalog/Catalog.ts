/** Keeps the configuration requests are routed by: reads it, checks it whole, swaps it at once. */
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
import { unstatedTokens } from "./cardOf.ts"
import { contained } from "./contained.ts"
import { type CatalogOverlay, overlaid } from "./CatalogOverlay.ts"
import type { CatalogCopy, CatalogSource } from "./CatalogSource.ts"
import * as Configuration from "./Configuration.ts"
import { isVideoModel } from "./isVideoModel.ts"
import type { ModelConfig } from "./Model.ts"

/** What a configuration is made of. */
export interface CatalogInput {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig> | CatalogSource
  readonly overlay?: CatalogOverlay
  readonly lastGood?: CatalogCopy
}

/** How the catalog stands; times are milliseconds since the epoch. */
export interface CatalogStatus {
  readonly source: string
  readonly version: number
  /** When what is served was read from its source, this time or, from a copy, an earlier one. */
  readonly readAt: number
  /** Why what is served is not the newest; absent while all is well. */
  readonly failure?: { readonly at: number; readonly problem: string }
}

/** Holds the configuration that requests are routed by, and replaces it whole. */
export class Catalog extends Context.Service<
  Catalog,
  {
    /** Read without I/O; whoever holds one is untouched by what comes after it. */
    readonly current: () => Configuration.Configuration
    readonly status: () => CatalogStatus
    /** Reads the source again. When that fails, or makes no sense, everything stays as it is. */
    readonly refresh: Effect.Effect<Configuration.Configuration, CatalogError>
    /** Puts other upstreams, models or overlays in the place of those there are, all or nothing. */
    readonly replace: (
      change: Partial<CatalogInput>
    ) => Effect.Effect<Configuration.Configuration, CatalogError>
  }
>()("@signalbox/core/catalog/Catalog") {
  /**
   * Reads the source once before it is there, from its last good copy if it must. Dies with a
   * `RangeError` that says what to mend when there is nothing to begin with.
   */
  static readonly layer = (
    first: CatalogInput
  ): Layer.Layer<Catalog, never, HttpClient.HttpClient> =>
    Layer.effect(
      Catalog,
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const { catalogDeadlineMillis } = yield* Settings
        const timer = yield* FiberHandle.make()
        const alone = yield* Semaphore.make(1)
        let held: Held
        let latest = 0

        const read = ({ models }: CatalogInput) =>
          isSource(models)
            ? contained(
                Effect.provideService(models.load, HttpClient.HttpClient, client),
                models.name,
                catalogDeadlineMillis
              )
            : Effect.succeed(models)

        const hold = Effect.fnUntraced(function* (
          input: CatalogInput,
          models: ReadonlyArray<ModelConfig>
        ): Effect.fn.Return<Held, CatalogInvalid> {
          const now = yield* Clock.currentTimeMillis
          const configuration = yield* configurationOf(input, models, Math.max(now, latest + 1))
          latest = configuration.version
          return { input, models, configuration, readAt: now, isKept: false }
        })

        /** A copy that cannot be written costs a restart at worst: it is logged, and tried again. */
        const keepCopy = Effect.fnUntraced(function* (read: Held) {
          const { input, models, readAt } = read
          if (input.lastGood === undefined || !isSource(input.models) || read.isKept) return read
          const copy: Copy = { readAt, models }
          return yield* contained(
            Effect.suspend(() => input.lastGood?.write(copy) ?? Effect.void),
            "the last good catalog",
            catalogDeadlineMillis
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

        const take = Effect.fnUntraced(function* (input: CatalogInput) {
          const models = yield* read(input)
          const { failure: _, ...known } = held
          held = Equal.equals(models, held.models)
            ? { ...known, readAt: yield* Clock.currentTimeMillis }
            : yield* hold(input, models)
          held = yield* keepCopy(held)
          return held.configuration
        })

        const refresh = alone.withPermit(
          Effect.suspend(() => sensibly(held.input, take(held.input))).pipe(
            Effect.tapError(({ problem }) =>
              Effect.map(Clock.currentTimeMillis, (at) => {
                held = { ...held, failure: { at, problem } }
              })
            )
          )
        )

        /** What is not to be changed stays, its source and what was read of it too. */
        const exchange = Effect.fnUntraced(function* (change: Partial<CatalogInput>) {
          const input = { ...held.input, ...change }
          const isNew = change.models !== undefined
          const made = yield* hold(input, isNew ? yield* read(input) : held.models)
          const { failure, isKept, readAt } = held
          held = isNew
            ? yield* keepCopy(made)
            : { ...made, isKept, readAt, ...(failure === undefined ? undefined : { failure }) }
          return held.configuration
        })

        const schedule = Effect.suspend(() => {
          const { models } = held.input
          const every = isSource(models) ? models.refreshMillis : undefined
          if (every === undefined) return FiberHandle.clear(timer)
          const again = Effect.flatMap(Random.nextBetween(0.8 * every, 1.2 * every), (millis) =>
            refresh.pipe(Effect.catch(logged), Effect.delay(millis))
          )
          return FiberHandle.run(timer, Effect.forever(again))
        })

        held = yield* read(first).pipe(
          Effect.flatMap((models) => hold(first, models)),
          Effect.flatMap(keepCopy),
          Effect.catch((error) =>
            Effect.flatMap(copyIn(first, catalogDeadlineMillis), (copy) =>
              copy === undefined
                ? Effect.fail(error)
                : Effect.map(
                    Effect.mapError(hold(first, copy.models), () => error),
                    (made): Held => ({
                      ...made,
                      readAt: copy.readAt,
                      isKept: true,
                      failure: { at: made.readAt, problem: error.problem }
                    })
                  )
            )
          ),
          Effect.catch(({ problem, source }) => Effect.die(new RangeError(saying(source, problem))))
        )
        yield* schedule
        yield* warnOfUnstated(held.configuration)

        return {
          current: () => held.configuration,
          status: () => {
            const { configuration, failure, input, readAt } = held
            return {
              source: nameOf(input),
              version: configuration.version,
              readAt,
              ...(failure === undefined ? undefined : { failure })
            }
          },
          refresh,
          // A reading under way is of what is to be replaced: it is given up rather than waited for.
          replace: (change) =>
            FiberHandle.clear(timer).pipe(
              Effect.andThen(
                alone.withPermit(
                  Effect.suspend(() => sensibly({ ...held.input, ...change }, exchange(change)))
                )
              ),
              Effect.ensuring(schedule)
            )
        }
      })
    )
}

/** Once, at the start: whoever plans by a card is misled by it. */
const warnOfUnstated = ({ models }: Configuration.Configuration): Effect.Effect<void> => {
  const unstated = models.filter(
    (model) => !model.hidden && model.contextLength === undefined && !isVideoModel(model)
  )
  if (unstated.length === 0) return Effect.void
  const named = unstated.slice(0, mostNamed).map(({ id }) => id)
  const rest = unstated.length - named.length
  return Effect.logWarning(
    `${unstated.length === 1 ? "1 model states" : `${unstated.length} models state`} no contextLength, ` +
      `so GET /models shows ${unstatedTokens} tokens: ` +
      `${named.join(", ")}${rest === 0 ? "" : ` and ${rest} others`}; set contextLength of the endpoints`
  )
}

const mostNamed = 5

/** What is served now, and what it was made of. */
interface Held {
  readonly input: CatalogInput
  readonly models: ReadonlyArray<ModelConfig>
  readonly configuration: Configuration.Configuration
  readonly readAt: number
  readonly failure?: NonNullable<CatalogStatus["failure"]>
  /** Whether the last good copy is of this. */
  readonly isKept: boolean
}

/** What the last good copy holds. */
interface Copy {
  readonly readAt: number
  readonly models: ReadonlyArray<ModelConfig>
}

const isSource = (models: CatalogInput["models"]): models is CatalogSource => "load" in models

const nameOf = ({ models }: CatalogInput): string => (isSource(models) ? models.name : inCode)

const inCode = "values in code"

const configurationOf = (
  input: CatalogInput,
  models: ReadonlyArray<ModelConfig>,
  version: number
): Effect.Effect<Configuration.Configuration, CatalogInvalid> =>
  Effect.suspend(() => {
    const source = nameOf(input)
    const invalid = (problem: string) => Effect.fail(new CatalogInvalid({ source, problem }))
    const every = isSource(input.models) ? input.models.refreshMillis : undefined
    if (every !== undefined && !(every > 0 && every < Infinity)) {
      return invalid(
        "refreshMillis must be a number of milliseconds above 0; leave it out for never"
      )
    }
    try {
      return Effect.succeed(
        Configuration.make(version, input.upstreams, overlaid(models, input.overlay ?? {}))
      )
    } catch (cause) {
      if (cause instanceof RangeError) return invalid(cause.message)
      // What is written in code is mended there; a list from elsewhere may hold anything, types or not.
      if (!isSource(input.models)) throw cause
      return Effect.andThen(Effect.logError(`${source} made no sense`, cause), invalid(noSense))
    }
  })

const noSense = "no catalog could be made of it; the log says how"

/** A list from elsewhere may break what only looks at it, such as by nesting without end. */
const sensibly = <A>(
  input: CatalogInput,
  taking: Effect.Effect<A, CatalogError>
): Effect.Effect<A, CatalogError> =>
  isSource(input.models)
    ? Effect.catchDefect(taking, (defect) =>
        Effect.andThen(
          Effect.logError(`${nameOf(input)} made no sense`, defect),
          Effect.fail(new CatalogInvalid({ source: nameOf(input), problem: noSense }))
        )
      )
    : taking

/** Undefined when there is none, or none that can be read. */
const copyIn = (
  { lastGood, models }: CatalogInput,
  deadlineMillis: number
): Effect.Effect<Copy | undefined> =>
  lastGood === undefined || !isSource(models)
    ? Effect.undefined
    : Effect.match(
        contained(
          Effect.suspend(() => lastGood.read),
          "the last good catalog",
          deadlineMillis
        ),
        { onFailure: () => undefined, onSuccess: (copy) => (isCopy(copy) ? copy : undefined) }
      )

/** The models are checked like any others. */
const isCopy = (copy: unknown): copy is Copy =>
  Predicate.isObject(copy) &&
  Array.isArray(copy["models"]) &&
  typeof copy["readAt"] === "number" &&
  Number.isSafeInteger(copy["readAt"])

const logged = ({ problem, source }: CatalogError): Effect.Effect<void> =>
  Effect.logWarning(`${source} was not taken: ${problem}`)

const saying = (source: string, problem: string): string =>
  source === inCode ? problem : `${source}: ${problem}`
