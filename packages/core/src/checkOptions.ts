/** Refuses options of the wrong kind: a host in JavaScript has no compiler to tell it. What is inside of them is checked where it is used. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CatalogInput } from "./catalog/Catalog.ts"
import type { Options } from "./Options.ts"
import { defaults } from "./Settings.ts"
import { isObject } from "./upstreams/isObject.ts"
import { unknownName } from "./values/nearestName.ts"

interface Kind {
  readonly is: (value: unknown) => boolean
  /** How a host is told of it. */
  readonly said: string
}

const list = (said: string): Kind => ({ is: Array.isArray, said })
const object = (said: string): Kind => ({ is: isObject, said })
const layer = (said: string): Kind => ({ is: Layer.isLayer, said })
/** A value of this kind, or an effect or a layer that makes one. */
const pluggable = ({ is, said }: Kind): Kind => ({
  is: (value) => is(value) || Effect.isEffect(value) || Layer.isLayer(value),
  said: `${said}, or an effect or a layer that makes one`
})
const isFunction = (value: unknown): boolean => typeof value === "function"
const oneFunction = (said: string): Kind => ({ is: isFunction, said })

const catalog: Readonly<Record<keyof CatalogInput, Kind>> = {
  upstreams: list("a list of upstreams such as openai({ apiKey })"),
  models: {
    is: (value) =>
      Array.isArray(value) ? value.every(isObject) : isObject(value) && "load" in value,
    said: "a list of models such as { id, endpoints }, or a source such as openrouterCatalog({ apiKey })"
  },
  overlay: object("an object by model id"),
  lastGood: object("a copy such as lastGoodFile(path)")
}

/** The compiler sees to it that none is forgotten. */
const kinds: Readonly<Record<keyof Options, Kind>> = {
  ...catalog,
  stores: pluggable({ is: Context.isContext, said: "storage such as sqlite({ path })" }),
  keys: list('a list of keys such as { key, kind: "member" }'),
  accounts: list("a list of accounts such as { id, zdr: true }"),
  sealing: object("an object such as { current, keys }"),
  credentials: list("a list of credentials such as { provider, key }"),
  credits: object('an object of USD by account id, such as { default: "5.00" }'),
  workspaceDefaults: object('an object such as { defaultTextModel: "author/model" }'),
  authenticate: pluggable(
    oneFunction("a function from a request to a caller such as { account, user }")
  ),
  rateLimits: pluggable(object("a place to count such as redisRateLimits({ url })")),
  videoFiles: pluggable(object("a place for files such as fileBlobs(folder)")),
  interns: {
    is: (value) =>
      isObject(value) && (value["programme"] === undefined || isFunction(value["programme"])),
    said: "an object such as { domain }, its programme a function"
  },
  strategy: {
    is: (value) => isObject(value) && isFunction(value["first"]),
    said: "a strategy such as leastLatency()"
  },
  failureRules: {
    is: (value) => isObject(value) && Object.values(value).every(isObject),
    said: "an object by kind of failure, such as { bad_request: { fallback: true } }"
  },
  broadcast: {
    is: (value) => Array.isArray(value) && value.every(isFunction),
    said: "a list of functions"
  },
  ioLog: oneFunction("a function"),
  log: { is: (value) => typeof value === "boolean", said: "true or false" },
  telemetry: layer("a layer such as Otlp.layerJson of effect/observability"),
  settings: object("an object such as { maxAttempts: 3 }")
}

/** Throws a `RangeError` that names the first option at fault, and what belongs there. */
export const checkOptions = (options: unknown): void => {
  check(options, kinds)
  for (const name of ["upstreams", "models"] as const) {
    if (options[name] === undefined) {
      throw new RangeError(`${name} is missing: it must be ${kinds[name].said}`)
    }
  }
  for (const name of Object.keys(options["settings"] ?? {})) {
    if (!Object.hasOwn(defaults, name)) {
      throw new RangeError(`settings.${unknownName(name, "setting", Object.keys(defaults))}`)
    }
  }
}

/** The same of what takes the place of a part of them. */
export const checkChange: (change: unknown) => void = (change) => check(change, catalog)

const check: (
  given: unknown,
  known: Readonly<Record<string, Kind>>
) => asserts given is Readonly<Record<string, unknown>> = (given, known) => {
  const names = Object.keys(known)
  if (!isObject(given)) {
    throw new RangeError(
      `expected an object of ${names.slice(0, 2).join(", ")} and so on, got ${kindOf(given)}`
    )
  }
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      throw new RangeError(unknownName(name, "option", names))
    }
    if (value !== undefined && known[name]?.is(value) === false) {
      throw new RangeError(`${name} must be ${known[name].said}, got ${kindOf(value)}`)
    }
  }
}

/** Never the value: it may be a secret in the wrong place. */
const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : typeof value
