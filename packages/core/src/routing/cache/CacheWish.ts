/** Whether a request uses the cache of responses, and for how long its answer is kept: by its headers, a preset and the host. */
import * as Context from "effect/Context"
import type { SemanticCache } from "../../engine/cache/SemanticCache.ts"
import type { AppliedPreset } from "../parseRequest.ts"

/** What a caller, a preset or the host asks for; absent: it does not say. */
export interface CacheWish {
  readonly isEnabled?: boolean
  /** How long the answer is kept, 1 to 86,400. */
  readonly ttlSeconds?: number
  /** Whether the stored answer is removed first. */
  readonly isCleared?: true
  /** Whether only a request that was the same may answer it. */
  readonly isExact?: true
}

/** How the host uses the cache. */
export interface ResponseCacheRules {
  /** Whether requests use it that do not say. Default: false. */
  readonly enabled?: boolean
  /** How long answers are kept where the request does not say, 1 to 86,400 seconds. Default: 300. */
  readonly ttlSeconds?: number
  /**
   * Who shares answers: the callers of a workspace, of an API key, or with the same `user` in the request. Without a `user`
   * a caller shares with those of its key. Never more than a workspace, which a customer is. Default: `workspace`.
   */
  readonly scope?: "external_user" | "key" | "workspace"
  /**
   * Finds chats that ask the same in other words, where none is the same; default: only those that are the same are answered.
   * Each call of it may take `settings.semanticCacheTimeoutMillis`.
   */
  readonly semantic?: SemanticCache
}

/**
 * Whether a call in process uses the cache of responses: its answer is kept for `ttlSeconds`, 1 to 86,400, and `clear` removes
 * the one that is there first. `match: "exact"` is for a request that the semantic cache of the host must not answer.
 */
export type CacheOption =
  | boolean
  | { readonly ttlSeconds?: number; readonly clear?: boolean; readonly match?: "exact" }

export const toCacheWish = (option: CacheOption): CacheWish =>
  typeof option === "boolean"
    ? { isEnabled: option }
    : {
        isEnabled: true,
        ...(option.ttlSeconds === undefined ? undefined : { ttlSeconds: option.ttlSeconds }),
        ...(option.clear === true ? { isCleared: true } : undefined),
        ...(option.match === "exact" ? { isExact: true } : undefined)
      }

/** What a preset says, which has checked it. */
export const toPresetWish = ({ cacheEnabled, cacheTtlSeconds }: AppliedPreset): CacheWish => ({
  ...(cacheEnabled === undefined ? undefined : { isEnabled: cacheEnabled }),
  ...(cacheTtlSeconds === undefined ? undefined : { ttlSeconds: cacheTtlSeconds })
})

/** The rules of the host; by default requests use the cache that ask for it. */
export const CurrentResponseCacheRules: Context.Reference<ResponseCacheRules> = Context.Reference(
  "@signalbox/core/routing/cache/CurrentResponseCacheRules",
  { defaultValue: (): ResponseCacheRules => ({}) }
)

/** How a request uses the cache. */
export interface CacheUse {
  readonly ttlSeconds: number
  readonly isCleared: boolean
  /** Whether only a request that was the same may answer it. */
  readonly isExact: boolean
}

/**
 * The wish in the headers of a request, as https://openrouter.ai/docs/features/response-caching says: the TTL begins with
 * digits and is clamped, and any other value says nothing. `X-Signalbox-Cache-Match` is our own. Undefined: there is none.
 */
export const readCacheWish = (
  headers: Readonly<Record<string, string | undefined>>
): CacheWish | undefined => {
  const asked = headers["x-openrouter-cache"]
  const ttl = headers["x-openrouter-cache-ttl"]
  const cleared = headers["x-openrouter-cache-clear"]
  const match = headers["x-signalbox-cache-match"]
  if ((asked ?? ttl ?? cleared ?? match) === undefined) return undefined
  const wish: { -readonly [K in keyof CacheWish]: CacheWish[K] } = {}
  const isEnabled = parseFlag(asked)
  const ttlSeconds = parseTtl(ttl)
  if (isEnabled !== undefined) wish.isEnabled = isEnabled
  if (ttlSeconds !== undefined) wish.ttlSeconds = ttlSeconds
  if (parseFlag(cleared) === true) wish.isCleared = true
  if (match?.trim().toLowerCase() === "exact") wish.isExact = true
  return wish
}

const parseFlag = (header: string | undefined): boolean | undefined => {
  const word = header?.trim().toLowerCase()
  return word === "true" ? true : word === "false" ? false : undefined
}

const parseTtl = (header: string | undefined): number | undefined => {
  const digits = header === undefined ? undefined : /^\s*(\d+)/.exec(header)?.[1]
  return digits === undefined ? undefined : clampTtl(Number(digits))
}

/** To whole seconds from one second to a day. */
export const clampTtl = (seconds: number): number =>
  Math.min(maxTtlSeconds, Math.max(1, Math.floor(seconds)))

export const maxTtlSeconds = 86_400
const defaultTtlSeconds = 300

/**
 * What follows from the wishes of the request, of its preset and of the host. Nothing overrules a preset or a request that says
 * no; otherwise the request comes before the preset, and that before the host. Undefined: the request does not use it.
 */
export const resolveCacheUse = (
  request: CacheWish | undefined,
  preset: CacheWish | undefined,
  host: ResponseCacheRules
): CacheUse | undefined => {
  if (request === undefined && preset === undefined && host.enabled !== true) return undefined
  if (request?.isEnabled === false || preset?.isEnabled === false) return undefined
  if ((request?.isEnabled ?? preset?.isEnabled ?? host.enabled) !== true) return undefined
  return {
    ttlSeconds: request?.ttlSeconds ?? preset?.ttlSeconds ?? host.ttlSeconds ?? defaultTtlSeconds,
    isCleared: request?.isCleared === true,
    isExact: request?.isExact === true
  }
}
