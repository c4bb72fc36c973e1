/** Finds what a router model stands for, and what is listed of it. */
import * as Arr from "effect/Array"
import { findNearestName } from "../../../values/validation/findNearestName.ts"
import type { Endpoint } from "../endpoint/Endpoint.ts"
import * as Price from "../endpoint/Price.ts"
import { includesParameter } from "../endpoint/SupportedParameters.ts"
import type { Model, Router } from "./Model.ts"
import type { CardConfig } from "./ModelCard.ts"
import { checkRouterConfig, type RouterConfig } from "./RouterConfig.ts"

/** Throws a `RangeError` without a path when the config is invalid or no model of the catalog meets it. */
export const makeRouter = (config: RouterConfig, models: ReadonlyArray<Model>): Router => {
  checkRouterConfig(config)
  const known = models.filter(({ router }) => router === undefined)
  for (const name of config.candidates ?? []) checkCandidate(name, models, known)
  const isCandidate =
    config.candidates === undefined ? isListedText : makePatternMatcher(config.candidates, isListed)
  const isExcepted = makePatternMatcher(config.except ?? [], () => true)
  const chosen = known.flatMap((model) => {
    if (!isCandidate(model) || isExcepted(model) || !reads(model, config.inputs ?? [])) return []
    const endpoints = model.endpoints.filter((endpoint) => meets(endpoint, model, config))
    return endpoints.length === 0 ? [] : [{ model, endpoints }]
  })
  if (!Arr.isReadonlyArrayNonEmpty(chosen)) {
    throw new RangeError("router: no model of the catalog meets it; relax it or add such a model")
  }
  const endpoints = chosen.flatMap((each) => each.endpoints)
  return {
    kind: config.kind,
    models: Arr.map(chosen, ({ model }) => model),
    endpoints: new Set(endpoints.map(({ id }) => id)),
    isFree: endpoints.every(({ price }) => Price.isFree(price))
  }
}

const checkCandidate = (
  name: string,
  models: ReadonlyArray<Model>,
  known: ReadonlyArray<Model>
): void => {
  if (name.includes("*") || known.some(({ id }) => id === name)) return
  if (models.some(({ id }) => id === name)) {
    throw new RangeError(
      `router.candidates: "${name}" is a router itself; name the models it stands for`
    )
  }
  const nearest = findNearestName(
    name,
    known.map(({ id }) => id)
  )
  throw new RangeError(
    `router.candidates: there is no model "${name}"` +
      (nearest === undefined ? "" : `; did you mean "${nearest}"?`)
  )
}

const isListed = ({ hidden }: Model): boolean => !hidden

const isListedText = (model: Model): boolean =>
  isListed(model) && model.card.architecture.output_modalities.includes("text")

/** A model that is named exactly is matched in any case, and one of a pattern if it `fits`. */
const makePatternMatcher = (
  patterns: ReadonlyArray<string>,
  fits: (model: Model) => boolean
): ((model: Model) => boolean) => {
  const names = new Set(patterns)
  const wildcards = patterns.filter((pattern) => pattern.includes("*")).map(toRegExp)
  return (model) =>
    names.has(model.id) || (fits(model) && wildcards.some((pattern) => pattern.test(model.id)))
}

const toRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`, "su")

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

const reads = ({ card }: Model, inputs: ReadonlyArray<string>): boolean =>
  inputs.every((input) => input === "text" || card.architecture.input_modalities.includes(input))

const meets = (
  { contextLength, price, supportedParameters }: Endpoint,
  model: Model,
  { free = false, maxPrice = {}, minContextLength = 0, parameters = [] }: RouterConfig
): boolean =>
  (!free || Price.isFree(price)) &&
  parameters.every((name) => includesParameter(supportedParameters, name) === true) &&
  (minContextLength === 0 || (contextLength ?? model.contextLength ?? 0) >= minContextLength) &&
  isAtMost(price.approximate.prompt, maxPrice.prompt) &&
  isAtMost(price.approximate.completion, maxPrice.completion)

/** An unknown price is above every bound. The slack absorbs the conversion. */
const isAtMost = (perToken: number, perMillion: number | undefined): boolean =>
  perMillion === undefined || perToken * 1e6 <= perMillion * (1 + 1e-9)

/** What is listed of a router model: all that one of its models can do, because only those that fit a request are asked. */
export const toRouterCard = ({ isFree, models }: Router): CardConfig => {
  const price = isFree ? "0" : "-1"
  const lengths = models.flatMap(({ contextLength }) => contextLength ?? [])
  const union = (list: (model: Model) => ReadonlyArray<string>) =>
    Array.from(new Set(models.flatMap(list)))
  return {
    description: isFree
      ? "Asks one of the free models that fit the request."
      : "Asks one of the models that fit the request.",
    ...(lengths.length === 0 ? undefined : { context_length: Math.max(...lengths) }),
    architecture: {
      input_modalities: union(({ card }) => card.architecture.input_modalities),
      output_modalities: union(({ card }) => card.architecture.output_modalities)
    },
    pricing: isFree
      ? { prompt: price, completion: price, request: price, image: price }
      : { prompt: price, completion: price },
    supported_parameters: union(({ card }) => card.supported_parameters)
  }
}
