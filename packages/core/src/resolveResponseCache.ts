/** Resolves the options of the cache of responses. Loaded for hosts that have some. */
import * as Layer from "effect/Layer"
import { ResponseCacheStore } from "./engine/cache/ResponseCacheStore.ts"
import type { Options, ResponseCacheOptions } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import {
  clampTtl,
  CurrentResponseCacheRules,
  maxTtlSeconds,
  type ResponseCacheRules
} from "./routing/cache/CacheWish.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import { checkFieldNames, type FieldNames } from "./values/validation/checkFieldNames.ts"

const responseCacheFields: FieldNames<ResponseCacheOptions> = {
  enabled: true,
  scope: true,
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

/** The store of the options, in place of that among the stores. */
export const layerResponseCacheStore = ({
  responseCache
}: Options): Layer.Layer<never, OptionFailed, Platform> =>
  responseCache?.store === undefined
    ? Layer.empty
    : Layer.effect(
        ResponseCacheStore,
        buildPluggable("responseCache.store", ResponseCacheStore, responseCache.store)
      )

/** Throws a `RangeError` that names the invalid option. */
const checkResponseCacheRules = ({ enabled, scope, ttlSeconds }: ResponseCacheRules): void => {
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

const scopes: ReadonlySet<string> = new Set(["workspace", "key", "external_user"])
