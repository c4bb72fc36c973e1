/** Every mistake of models, by the checks of the core: each field is checked alone in a model that is right otherwise. */
import { makeConfiguration, type ModelConfig } from "@signalbox/core/catalog"
import type { Upstream } from "@signalbox/core/upstream"
import type { JsonPath } from "../files/JsonFile.ts"
import { isRecord } from "../models/readListing.ts"
import { type Finding, isolate, toProblem, trimPath } from "./Finding.ts"

/** The part of an upstream that matters to models. */
export type NamedUpstream = Pick<
  Upstream,
  "authors" | "listedAs" | "listParameters" | "name" | "slug"
>

/** `upstreams` undefined: those that endpoints name are taken to be there. */
export const findModelMistakes = (
  models: ReadonlyArray<unknown>,
  upstreams: ReadonlyArray<NamedUpstream> | undefined,
  path: JsonPath
): ReadonlyArray<Finding> => {
  const first = new Map<string, unknown>()
  return models.flatMap((model, index) => {
    const at = [...path, index]
    const mistakes = isolate(
      at,
      () => check(omitRouter(model), upstreams),
      () => findFieldMistakes(omitRouter(model), upstreams, at)
    )
    if (mistakes.length > 0 || !isRecord(model)) return mistakes
    const id = String(model["id"])
    if (first.has(id)) return [{ path: [...at, "id"], problem: `two models are called "${id}"` }]
    first.set(id, model)
    return []
  })
}

/** A router is checked with the models among which it chooses. */
const omitRouter = (model: unknown): unknown => {
  if (!isRecord(model) || model["router"] === undefined) return model
  const { router: _, ...others } = model
  return { ...plain, ...others }
}

/** The mistakes of routers, whose models are right otherwise. */
export const findRouterMistakes = (
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<NamedUpstream>,
  path: JsonPath
): ReadonlyArray<Finding> => {
  const mistakes: Array<Finding> = []
  makeConfiguration(1, upstreams, models, (index, cause) => {
    if (models[index]?.router === undefined) return
    const problem = trimPath(toProblem(cause).replace(/^models\.\d+: /, ""))
    mistakes.push({ path: [...path, index], problem })
  })
  return mistakes
}

/** The name of an endpoint's upstream while something else is checked. */
const anyUpstream = { slug: "any-upstream", name: "Any" }

const check = (model: unknown, upstreams: ReadonlyArray<NamedUpstream> | undefined): unknown =>
  makeConfiguration(
    1,
    [...(upstreams ?? listProviders(model)), anyUpstream],
    // The core checks every field.
    [model as ModelConfig]
  )

const listProviders = (model: unknown): ReadonlyArray<NamedUpstream> => {
  const endpoints = isRecord(model) ? model["endpoints"] : undefined
  const slugs = (Array.isArray(endpoints) ? endpoints : []).flatMap((endpoint: unknown) => {
    const provider = isRecord(endpoint) ? endpoint["provider"] : undefined
    return typeof provider === "string" && provider !== "" ? [provider] : []
  })
  return Array.from(new Set(slugs))
    .filter((slug) => slug !== anyUpstream.slug)
    .map((slug) => ({ slug, name: slug }))
}

/** A model that is only listed. */
const plain = { id: "any/model", endpoints: [], card: { pricing: {} } }

const findFieldMistakes = (
  model: unknown,
  upstreams: ReadonlyArray<NamedUpstream> | undefined,
  path: JsonPath
): ReadonlyArray<Finding> => {
  if (!isRecord(model)) return []
  const alone = (fields: Readonly<Record<string, unknown>>) => () =>
    check({ ...plain, ...fields }, upstreams)
  return Object.entries(model).flatMap(([name, value]) => {
    const at = [...path, name]
    if (name === "endpoints" && Array.isArray(value)) {
      return value.flatMap((endpoint: unknown, index) =>
        findEndpointMistakes(endpoint, upstreams, [...at, index])
      )
    }
    if (name !== "card" || !isRecord(value)) return isolate(at, alone({ [name]: value }), none)
    return findParts(at, value, (card) => alone({ card: { ...plain.card, ...card } }), {
      pricing: (pricing) => alone({ card: { pricing } })
    })
  })
}

const findEndpointMistakes = (
  endpoint: unknown,
  upstreams: ReadonlyArray<NamedUpstream> | undefined,
  path: JsonPath
): ReadonlyArray<Finding> => {
  const whole = () =>
    check(
      { ...plain, endpoints: [endpoint] },
      upstreams ?? listProviders({ endpoints: [endpoint] })
    )
  return isolate(path, whole, () => {
    if (!isRecord(endpoint)) return []
    const { allowHighPrice, provider } = endpoint
    const found = findParts(
      path,
      endpoint,
      (fields) => () =>
        check(
          {
            ...plain,
            endpoints: [
              {
                provider: anyUpstream.slug,
                price: {},
                ...(allowHighPrice === true ? { allowHighPrice } : undefined),
                ...fields
              }
            ]
          },
          upstreams ?? (typeof provider === "string" ? [{ slug: provider, name: provider }] : [])
        ),
      {}
    )
    return found
  })
}

type CheckFields = (fields: Readonly<Record<string, unknown>>) => () => unknown

/** Lists each field alone, and each field of an object in it. */
const findParts = (
  path: JsonPath,
  fields: Readonly<Record<string, unknown>>,
  checkFields: CheckFields,
  /** Fields that are checked in another way. */
  others: Readonly<Record<string, CheckFields>>
): ReadonlyArray<Finding> =>
  Object.entries(fields).flatMap(([name, value]) => {
    const at = [...path, name]
    const checkInside: CheckFields = Object.hasOwn(others, name)
      ? (others[name] ?? checkFields)
      : (inside) => checkFields({ [name]: inside })
    return isolate(at, checkFields({ [name]: value }), () =>
      isRecord(value)
        ? Object.entries(value).flatMap(([part, inside]) =>
            isolate([...at, part], checkInside({ [part]: inside }), none)
          )
        : []
    )
  })

const none = (): ReadonlyArray<Finding> => []
