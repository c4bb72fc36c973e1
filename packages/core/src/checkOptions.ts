/** Checks the kinds of options, for hosts in JavaScript without a compiler. Their contents are checked where they are used. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CatalogInput } from "./engine/catalog/Catalog.ts"
import type { Options } from "./Options.ts"
import * as Settings from "./instance/Settings.ts"
import { isObject } from "./values/json/guards.ts"
import { describeUnknownName } from "./values/validation/findNearestName.ts"

interface OptionKind {
  readonly is: (value: unknown) => boolean
  /** Ends the error message `<option> must be …`. */
  readonly description: string
}

const listKind = (description: string): OptionKind => ({ is: Array.isArray, description })
const objectKind = (description: string): OptionKind => ({ is: isObject, description })
const layerKind = (description: string): OptionKind => ({ is: Layer.isLayer, description })
/** A value of this kind, or an effect or a layer that makes one. */
const toPluggableKind = ({ is, description }: OptionKind): OptionKind => ({
  is: (value) => is(value) || Effect.isEffect(value) || Layer.isLayer(value),
  description: `${description}, or an effect or a layer that makes one`
})
const isFunction = (value: unknown): boolean => typeof value === "function"
const functionKind = (description: string): OptionKind => ({ is: isFunction, description })

const catalogKinds: Readonly<Record<keyof CatalogInput, OptionKind>> = {
  upstreams: listKind("a list of upstreams such as openai({ apiKey })"),
  models: {
    is: (value) =>
      Array.isArray(value) ? value.every(isObject) : isObject(value) && "load" in value,
    description:
      "a list of models such as { id, endpoints }, or a source such as openrouterCatalog({ apiKey })"
  },
  overlay: objectKind("an object by model id"),
  lastGood: objectKind("a copy such as lastGoodFile(path)"),
  prices: {
    is: (value) =>
      value === false || isFunction(value) || (isObject(value) && isObject(value["providers"])),
    description: "prices such as modelsDevPrices of @signalbox/prices, or false"
  }
}

/** The type makes the list complete. */
const optionKinds: Readonly<Record<keyof Options, OptionKind>> = {
  ...catalogKinds,
  stores: toPluggableKind({
    is: Context.isContext,
    description: "storage such as sqlite({ path })"
  }),
  keys: listKind('a list of keys such as { key, kind: "member" }'),
  accounts: listKind("a list of accounts such as { id, zdr: true }"),
  sealing: objectKind("an object such as { current, keys }"),
  credentials: listKind("a list of credentials such as { provider, key }"),
  credits: objectKind('an object of USD by account id, such as { default: "5.00" }'),
  workspaceDefaults: objectKind('an object such as { defaultTextModel: "author/model" }'),
  bundles: objectKind("an object by name such as { starter: { budget: { monthly: 20 } } }"),
  presets: objectKind(
    'an object by slug such as { support: { config: { model: "author/model" } } }'
  ),
  contentChecks: {
    is: (value) =>
      isObject(value) &&
      Object.values(value).every(
        (check) => isObject(check) && (isFunction(check["find"]) || check["find"] === undefined)
      ),
    description: 'an object of checks by name such as { "person-name": { find: (text) => [] } }'
  },
  authenticate: toPluggableKind(
    functionKind("a function from a request to a caller such as { account, user }")
  ),
  rateLimits: toPluggableKind(objectKind("a rate limit store such as redisRateLimits({ url })")),
  responseCache: objectKind("an object such as { enabled: true, ttlSeconds: 600 }"),
  videoFiles: toPluggableKind(objectKind("a blob store such as fileBlobs(folder)")),
  interns: {
    is: (value) =>
      isObject(value) && (value["eligibility"] === undefined || isFunction(value["eligibility"])),
    description: "an object such as { domain }, with eligibility as a function"
  },
  strategy: {
    is: (value) => isObject(value) && isFunction(value["first"]),
    description: "a strategy such as leastLatency()"
  },
  experiments: listKind(
    'a list of experiments such as { match: { model }, to, mode: "canary", share: 0.1 }'
  ),
  hedging: {
    is: (value) => value === false || isObject(value),
    description: "false or an object such as { quantile: 0.95, share: 0.08 }"
  },
  requestQueue: objectKind("an object such as { maxLength: 100, maxWaitMillis: 10_000 }"),
  failureRules: {
    is: (value) => isObject(value) && Object.values(value).every(isObject),
    description: "an object by kind of failure, such as { bad_request: { fallback: true } }"
  },
  alerts: {
    is: (value) =>
      isObject(value) && (value["onAlert"] === undefined || isFunction(value["onAlert"])),
    description: "an object such as { thresholds: [{ percent: 80 }] }, with onAlert as a function"
  },
  broadcast: {
    is: (value) =>
      Array.isArray(value) &&
      value.every(
        (each) => isFunction(each) || (isObject(each) && Object.values(each).every(isFunction))
      ),
    description: "a list of functions, or of objects such as { onGeneration, onAlert }"
  },
  ioLog: functionKind("a function"),
  log: { is: (value) => typeof value === "boolean", description: "true or false" },
  legalHold: functionKind("a function from a person such as { account, user } to true or false"),
  pkce: objectKind('an object such as { callbackUrls: ["http://127.0.0.1/callback"] }'),
  organization: functionKind("a function from a page such as { account, offset, limit } to people"),
  telemetry: layerKind("a layer such as Otlp.layerJson of effect/observability"),
  settings: objectKind("an object such as { maxAttempts: 3 }")
}

/** Throws a `RangeError` that names the first invalid option and what it must be. */
export const checkOptions = (options: unknown): void => {
  checkKnownOptions(options, optionKinds)
  for (const name of ["upstreams", "models"] as const) {
    if (options[name] === undefined) {
      throw new RangeError(`${name} is missing: it must be ${optionKinds[name].description}`)
    }
  }
  Settings.checkNames(options["settings"] ?? {})
}

/** Checks the options that replace the catalog of a running instance. */
export const checkCatalogChange: (change: unknown) => void = (change) =>
  checkKnownOptions(change, catalogKinds)

const checkKnownOptions: (
  given: unknown,
  known: Readonly<Record<string, OptionKind>>
) => asserts given is Readonly<Record<string, unknown>> = (given, known) => {
  const names = Object.keys(known)
  if (!isObject(given)) {
    throw new RangeError(
      `expected an object of ${names.slice(0, 2).join(", ")} and so on, got ${describeType(given)}`
    )
  }
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name)) {
      throw new RangeError(describeUnknownName(name, "option", names))
    }
    if (value !== undefined && known[name]?.is(value) === false) {
      throw new RangeError(`${name} must be ${known[name].description}, got ${describeType(value)}`)
    }
  }
}

/** The type only, because a misplaced value may be a secret. */
const describeType = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : typeof value
