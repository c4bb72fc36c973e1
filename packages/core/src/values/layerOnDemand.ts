/** Services whose code is loaded and built with their first call. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Step from "./Step.ts"

/** The members of a service: each is an effect, or a function that returns one. */
type Members<Shape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Effect.Effect<unknown, unknown, unknown>
    ? "effect"
    : "call"
}

/**
 * The service is there at once; its first use loads the layer behind it and builds it in the scope of this one. Calls at
 * the same time share one build, and the next call after a failed one tries again. `register` gets what builds it sooner.
 */
export const layerOnDemand = <Id, Shape extends object, R, R2 = never>(
  tag: Context.Key<Id, Shape>,
  members: Members<Shape>,
  load: () => Promise<Layer.Layer<Id, never, R>>,
  register: (build: Effect.Effect<unknown>) => Effect.Effect<void, never, R2> = () => Effect.void
): Layer.Layer<Id, never, R | R2> =>
  Layer.effect(
    tag,
    Effect.gen(function* () {
      const build = yield* buildOnDemand(load)
      yield* register(Effect.suspend(build))
      // Safe: `members` names every member of the service, and says of each whether it is a function.
      const get = () =>
        Step.map(
          build(),
          (context) => Context.get(context, tag) as Readonly<Record<string, Member & Call>>
        )
      const toMember = ([name, kind]: [string, string]): [string, Member | Call] => [
        name,
        kind === "effect"
          ? Effect.flatMap(Effect.suspend(get), (service) => service[name] ?? missing)
          : (...input) => Step.flatMap(get(), (service) => service[name]?.(...input) ?? missing)
      ]
      return Object.fromEntries(Object.entries<string>(members).map(toMember)) as Shape
    })
  )

type Member = Effect.Effect<unknown>
type Call = (...input: ReadonlyArray<unknown>) => Member

const missing = Effect.die(new Error("the service lacks a member"))

/** A layer whose code is loaded when it is built. */
export const loadLayer = <A, E, R>(
  load: () => Promise<Layer.Layer<A, E, R>>
): Layer.Layer<A, E, R> => Layer.unwrap(Effect.promise(load))

/** Yields a function that builds the layer at its first use, in the present scope and context. */
export const buildOnDemand = <A, R>(load: () => Promise<Layer.Layer<A, never, R>>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const scope = yield* Effect.scope
    return loadOnce(async () =>
      Effect.runPromiseWith(context)(Layer.buildWithScope(await load(), scope))
    )
  })

/**
 * The first use runs `load`, which continues when the fiber that began it is interrupted. Uses meanwhile wait for the
 * same run, and later ones have the value at hand. Dies when `load` rejects; the next use then tries again.
 */
export const loadOnce = <A>(load: () => Promise<A>): (() => Effect.Effect<A>) => {
  let loaded: Effect.Effect<A> | undefined
  let loading: Promise<A> | undefined
  const run = async (): Promise<A> => {
    try {
      const value = await load()
      loaded = Effect.succeed(value)
      return value
    } finally {
      loading = undefined
    }
  }
  return () => loaded ?? Effect.promise(() => (loading ??= run()))
}

/** Imports one export of a module with the first call, so that what few requests need costs nothing at the start. */
export const importNamed =
  <Module, Name extends keyof Module>(
    load: () => Promise<Module>,
    name: Name
  ): (() => Promise<Module[Name]>) =>
  async () =>
    (await load())[name]
