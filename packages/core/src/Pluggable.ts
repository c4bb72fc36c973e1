/** Options that are a value, an effect that makes it, or a layer that provides it. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { OutboundHttp } from "./engine/outbound/OutboundHttp.ts"
import { OptionFailed } from "./values/errors/RequestErrors.ts"

/** The services that effects and layers in options may require; anything else must be provided to them. */
export type Platform = Digest.Digest | HttpClient.HttpClient | OutboundHttp

/**
 * The value itself, an effect that makes it, or a layer that provides the service `Id`. The resources of an effect or
 * a layer are released when the instance closes. If it fails, `make` fails with `OptionFailed`.
 */
export type Pluggable<Id, Value> =
  | Value
  | Effect.Effect<Value, unknown, Platform | Scope.Scope>
  | Layer.Layer<Id, unknown, Platform>

/** Builds a layer given as an option. Options with the same layer share its services. */
export const buildLayer = <A, E, R>(
  option: string,
  layer: Layer.Layer<A, E, R>
): Effect.Effect<Context.Context<A>, OptionFailed, R | Scope.Scope> =>
  withOptionName(
    option,
    Effect.flatMap(Effect.context<R | Scope.Scope>(), (context) =>
      Effect.map(
        Layer.buildWithMemoMap(
          layer,
          Option.getOrElse(
            Context.getOption(context, Layer.CurrentMemoMap),
            Layer.makeMemoMapUnsafe
          ),
          Context.get(context, Scope.Scope)
        ),
        omitMemoMap
      )
    )
  )

/** Later layers must not reuse the memo map that these services were built with. */
export const omitMemoMap = <A>(built: Context.Context<A>): Context.Context<A> =>
  Context.omit(Layer.CurrentMemoMap)(built) as Context.Context<A>

/** Builds the value of an option in any of its forms. */
export const buildPluggable = <Id, Value>(
  option: string,
  service: Context.Key<Id, Value>,
  given: Pluggable<Id, Value>
): Effect.Effect<Value, OptionFailed, Platform | Scope.Scope> => {
  if (isLayer<Id>(given)) {
    return Effect.flatMap(buildLayer(option, given), (context) =>
      Option.match(Context.getOption(context, service), {
        onNone: () =>
          Effect.die(new RangeError(`${option}: the layer does not provide ${service.key}`)),
        onSome: Effect.succeed
      })
    )
  }
  return isEffect<Value>(given) ? withOptionName(option, given) : Effect.succeed(given)
}

/** Narrows an option to a layer; the option's type determines the services. */
export const isLayer = <Id>(given: unknown): given is Layer.Layer<Id, unknown, Platform> =>
  Layer.isLayer(given)

/** Narrows an option to an effect; the option's type determines its value. */
export const isEffect = <Value>(
  given: unknown
): given is Effect.Effect<Value, unknown, Platform | Scope.Scope> => Effect.isEffect(given)

/** Adds the name of the option to every failure of a host's effect. */
export const withOptionName = <A, E, R>(
  option: string,
  build: Effect.Effect<A, E, R>
): Effect.Effect<A, OptionFailed, R> =>
  Effect.catchCause(build, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
    const problem = Cause.squash(cause)
    const missing = findMissingService(problem)
    if (missing !== undefined) {
      return Effect.die(
        new RangeError(`${option} requires ${missing}, which is not provided: use Layer.provide`)
      )
    }
    return problem instanceof RangeError
      ? Effect.die(new RangeError(`${option}: ${problem.message}`, { cause: problem }))
      : Effect.fail(new OptionFailed({ option, cause: problem }))
  })

/** The key of the missing service. Effect reports it only in the text of the message. */
const findMissingService = (problem: unknown): string | undefined =>
  problem instanceof Error ? /^Service not found: (.+)$/.exec(problem.message)?.[1] : undefined
