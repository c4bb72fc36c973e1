/** Resolves the options of the cache of responses. Loaded for hosts that have some. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { callSemanticCache } from "./engine/cache/SemanticCache.ts"
import { type CachedAnswerFilter, ResponseCacheStore } from "./engine/cache/ResponseCacheStore.ts"
import { Settings } from "./instance/Settings.ts"
import type { Options, ResponseCacheOptions } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import {
  clampTtl,
  CurrentResponseCacheRules,
  maxTtlSeconds,
  type ResponseCacheRules
} from "./routing/cache/CacheWish.ts"
import { isObject } from "./values/json/guards.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import { checkFieldNames, type FieldNames } from "./values/validation/checkFieldNames.ts"

const responseCacheFields: FieldNames<ResponseCacheOptions> = {
  enabled: true,
  scope: true,
  semantic: true,
  store: true,
  ttlSeconds: true
}

/** Dies with a `RangeError` that names the invalid field. */
export const layerResponseCacheRules = ({ responseCache }: Options): Layer.Layer<never> =>
  responseCache === undefined
    ? Layer.empty
    : Layer.sync(CurrentResponseCacheRules, () => {
        checkFieldNames(
          responseCache,
          "field of responseCache",
          responseCacheFields,
          "responseCache: "
        )
        checkResponseCacheRules(responseCache)
        const { store: _, ...rules } = responseCache
        return rules
      })

/** The store of the options, in place of that among the stores. What is removed there, the semantic cache forgets, too. */
export const layerResponseCacheStore = ({
  responseCache: { semantic, store: given } = {}
}: Options): Layer.Layer<never, OptionFailed, Platform | ResponseCacheStore> => {
  if (given === undefined && semantic === undefined) return Layer.empty
  const making: Effect.Effect<
    ResponseCacheStore["Service"],
    OptionFailed,
    Platform | ResponseCacheStore | Scope.Scope
  > =
    given === undefined
      ? ResponseCacheStore
      : buildPluggable("responseCache.store", ResponseCacheStore, given)
  if (semantic === undefined) return Layer.effect(ResponseCacheStore, making)
  return Layer.effect(
    ResponseCacheStore,
    Effect.gen(function* () {
      const store = yield* making
      const { semanticCacheTimeoutMillis } = yield* Settings
      const forget = (filter: CachedAnswerFilter) =>
        Effect.orDie(
          callSemanticCache(() => semantic.removeAll(filter), semanticCacheTimeoutMillis)
        )
      return {
        ...store,
        // The answers go in any case: a key that is found leads to none then.
        removeAll: (filter) =>
          Effect.ensuring(store.removeAll(filter), Effect.asVoid(forget(filter)))
      }
    })
  )
}

/** Throws a `RangeError` that names the invalid option. */
const checkResponseCacheRules = ({
  enabled,
  scope,
  semantic,
  ttlSeconds
}: ResponseCacheRules): void => {
  if (semantic !== undefined && !hasFunctions(semantic)) {
    throw new RangeError("responseCache.semantic must have the functions find, add and removeAll")
  }
  if (enabled !== undefined && typeof enabled !== "boolean") {
    throw new RangeError("responseCache.enabled must be true or false")
  }
  if (scope !== undefined && !scopes.has(scope)) {
    throw new RangeError(`responseCache.scope must be one of ${[...scopes].join(", ")}`)
  }
  if (
    ttlSeconds !== undefined &&
    !(Number.isInteger(ttlSeconds) && clampTtl(ttlSeconds) === ttlSeconds)
  ) {
    throw new RangeError(
      `responseCache.ttlSeconds must be a whole number from 1 to ${maxTtlSeconds}, got ${ttlSeconds}`
    )
  }
}

/** A host without types may give anything. */
const hasFunctions = (semantic: unknown): boolean =>
  isObject(semantic) &&
  ["find", "add", "removeAll"].every((name) => typeof semantic[name] === "function")

const scopes: ReadonlySet<string> = new Set(["workspace", "key", "external_user"])
