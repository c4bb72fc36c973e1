/** A model of the catalog, with the endpoints that serve it. */
import type * as Arr from "effect/Array"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { isObject } from "../../../values/json/guards.ts"
import { type FieldNames, checkFieldNames } from "../../../values/validation/checkFieldNames.ts"
import { ModelSlug } from "../../../values/ids/Ids.ts"
import { describeUnknownName } from "../../../values/validation/findNearestName.ts"
import { toModelCard, findContextLength } from "./toModelCard.ts"
import { categories, type Category } from "./Category.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import { CardConfig, type ModelCard } from "./ModelCard.ts"
import { inferOutputs, type Upstreams } from "./inferOutputs.ts"
import * as Price from "../endpoint/Price.ts"
import type { RouterConfig, RouterKind } from "./RouterConfig.ts"
import { priceFields } from "../endpoint/PriceList.ts"
import { VideoCapabilities } from "./VideoCapabilities.ts"

/** A model as a host configures it. */
export interface ModelConfig {
  /**
   * `author/name`, with a static variant where there is one: `author/name:free`. `author/*` stands for all models of its
   * providers that `prices` has.
   */
  readonly id: string
  /** Other names by which requests may ask for it, such as `fast`; answers and records have its id. */
  readonly aliases?: ReadonlyArray<string>
  /** The display name; default: the id. */
  readonly name?: string
  /** Its family: the alias `~author/family-latest` means the newest visible model of a family. */
  readonly family?: string
  /** When it was released, in seconds since the epoch; absent counts as the oldest. */
  readonly created?: number
  /** Not listed and not the target of an alias, but served under its exact name; default: false. */
  readonly hidden?: boolean
  /** Whether its author allows training other models on its output; default: false. */
  readonly distillable?: boolean
  /**
   * The endpoints that serve it. A model without any is only listed, and needs `card.pricing`. Required, unless it has a
   * `router`.
   */
  readonly endpoints?: ReadonlyArray<Endpoint.EndpointConfig>
  /** In place of `endpoints`: the models that it stands for, and how one of them is chosen. */
  readonly router?: RouterConfig
  /** What the catalog shows; missing fields are derived from the endpoints. */
  readonly card?: CardConfig
  /** The use cases in which it is listed. */
  readonly categories?: ReadonlyArray<Category>
  /** The share of well-formed tool calls, 0 to 1. */
  readonly toolSuccessRate?: number
  /** Its video capabilities; absent for other models. */
  readonly video?: VideoCapabilities
}

export interface Model {
  readonly id: ModelSlug
  readonly aliases: ReadonlyArray<string>
  readonly name: string
  readonly family: string | undefined
  readonly created: number | undefined
  readonly hidden: boolean
  readonly distillable: boolean
  readonly endpoints: ReadonlyArray<Endpoint.Endpoint>
  readonly card: ModelCard
  /** Tokens: from the card, else of the endpoint with the most; undefined when unknown. */
  readonly contextLength: number | undefined
  readonly categories: ReadonlyArray<Category>
  readonly toolSuccessRate: number | undefined
  readonly video: VideoCapabilities | undefined
  /** The models that it stands for; it has no endpoints of its own then. Absent: it is a model itself. */
  readonly router?: Router
}

/** What a router model stands for in a configuration. */
export interface Router {
  readonly kind: RouterKind
  /** In the order of the catalog. */
  readonly models: Arr.NonEmptyReadonlyArray<Model>
  /** The ids of the endpoints of these models that may answer. */
  readonly endpoints: ReadonlySet<string>
  /** Whether all of them cost nothing. */
  readonly isFree: boolean
}

/** What a router model stands for, and its card. */
export interface RouterParts {
  readonly router: Router
  readonly card: CardConfig
}

// Compiles only these schemas; how other schemas are compiled is up to the host.
SchemaJITCompiler.enable(CardConfig.ast)
SchemaJITCompiler.enable(VideoCapabilities.ast)
const strictOptions = { onExcessProperty: "error" } as const
const decodeCard = Schema.decodeUnknownResult(CardConfig, strictOptions)
const decodeVideo = Schema.decodeUnknownResult(VideoCapabilities, strictOptions)

export const modelFields: FieldNames<ModelConfig> = {
  id: true,
  aliases: true,
  endpoints: true,
  router: true,
  name: true,
  family: true,
  created: true,
  hidden: true,
  distillable: true,
  card: true,
  categories: true,
  toolSuccessRate: true,
  video: true
}

/** Throws a `RangeError` that names the problem and its path in the options. */
export const make = (
  config: ModelConfig,
  path?: string,
  /** The upstreams of the endpoints, whose capabilities determine missing fields of the card. */
  upstreams: Upstreams = new Map(),
  /** Finds what a router stands for; absent: the other models are not known. */
  makeRouter?: (config: RouterConfig) => RouterParts
): Model => {
  try {
    return buildModel(config, upstreams, makeRouter)
  } catch (cause) {
    if (path === undefined || !(cause instanceof RangeError)) throw cause
    const separator = cause.message.startsWith("endpoints.") ? "." : ": "
    throw new RangeError(`${path}${separator}${cause.message}`)
  }
}

const buildModel = (
  config: ModelConfig,
  upstreams: Upstreams,
  makeRouter: ((config: RouterConfig) => RouterParts) | undefined
): Model => {
  // Checked at runtime, because hosts also use plain JavaScript and read catalogs from files.
  if (!isObject(config) || typeof config.id !== "string" || config.id === "") {
    throw new RangeError("a model has no id; call it author/name")
  }
  const { created, family, name = config.id } = config
  const toError = (what: string) => new RangeError(`model "${config.id}": ${what}`)
  checkFieldNames(config, "field of a model", modelFields, `model "${config.id}": `)
  if (!/^[^/]+\/./.test(config.id)) {
    throw toError(`the id has no author; call it author/name, such as "acme/${config.id}"`)
  }
  // The id becomes part of URL paths, which cannot contain a lone surrogate.
  if (!config.id.isWellFormed()) throw toError("the id is not well-formed Unicode")
  for (const [option, text] of Object.entries({ name, family })) {
    if (text !== undefined && typeof text !== "string") throw toError(`${option} must be a string`)
  }
  if (!isAliasList(config.aliases ?? [])) {
    throw toError(
      "aliases must be a list of names without white space, : and *, which do not begin with ~"
    )
  }
  if (config.categories !== undefined && !Array.isArray(config.categories)) {
    throw toError("categories must be a list")
  }
  if (name.trim() === "") throw toError("name is empty; leave it out")
  if (family?.trim() === "") throw toError("family is empty; leave it out")
  if (created !== undefined && !(Number.isSafeInteger(created) && created >= 0)) {
    throw toError("created must be whole seconds since the epoch")
  }
  // A model dated in milliseconds would be the newest of its family for ever.
  if (created !== undefined && created > maxCreatedSeconds) {
    throw toError("created must be seconds since the epoch, these are milliseconds")
  }
  const unknownCategory = config.categories?.find((category) => !categories.includes(category))
  if (unknownCategory !== undefined)
    throw toError(`categories: ${describeUnknownName(unknownCategory, "category", categories)}`)
  const { toolSuccessRate } = config
  if (toolSuccessRate !== undefined && !(toolSuccessRate >= 0 && toolSuccessRate <= 1)) {
    throw toError("toolSuccessRate must be a number from 0 to 1")
  }
  checkNestedFields(config, toError)
  const stated = Result.getOrThrowWith(decodeCard(config.card ?? {}), (error) =>
    toError(`card: ${error.message}`)
  )
  const routed = buildRouter(config, makeRouter, toError)
  const router = routed?.router
  const card = routed === undefined ? stated : { ...routed.card, ...omitNull(stated) }
  const { canonical_slug: canonical } = card
  if (canonical === "") throw toError("card.canonical_slug is empty; leave it out")
  if (canonical?.isWellFormed() === false) {
    throw toError("card.canonical_slug is not well-formed Unicode")
  }
  const { endpoints: listed = router === undefined ? undefined : [] } = config
  if (!Array.isArray(listed)) throw toError("endpoints must be a list")
  if (listed.length === 0 && card.pricing == null) {
    throw toError("it has no endpoint; give it at least one, or a card.pricing to list it by")
  }
  try {
    const { discount: _, overrides: __, ...price } = card.pricing ?? {}
    Price.make(price)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw toError(`card.pricing: ${cause.message}`)
  }
  const id = ModelSlug.make(config.id)
  const endpoints = listed.map((endpoint, index) =>
    Endpoint.make(id, endpoint, `endpoints.${index}`)
  )
  return {
    id,
    aliases: config.aliases ?? [],
    name,
    family,
    created,
    hidden: config.hidden === true,
    distillable: config.distillable === true,
    endpoints,
    card: toModelCard(
      { ...config, card },
      endpoints,
      inferOutputs(endpoints, upstreams, config.video !== undefined)
    ),
    contextLength: findContextLength(card, endpoints),
    categories: config.categories ?? [],
    toolSuccessRate,
    video:
      config.video === undefined
        ? undefined
        : Result.getOrThrowWith(decodeVideo(config.video), (error) =>
            toError(`video: ${error.message}`)
          ),
    ...(router === undefined ? undefined : { router })
  }
}

const buildRouter = (
  { endpoints = [], router, video }: ModelConfig,
  makeRouter: ((config: RouterConfig) => RouterParts) | undefined,
  toError: (what: string) => RangeError
): RouterParts | undefined => {
  if (router === undefined) return undefined
  if (makeRouter === undefined) throw toError("a router stands for models of a configuration")
  if (!Array.isArray(endpoints) || endpoints.length > 0) {
    throw toError("it has endpoints and a router; give it one of both")
  }
  if (video !== undefined) throw toError("a router makes no videos; leave video out")
  try {
    return makeRouter(router)
  } catch (cause) {
    throw cause instanceof RangeError ? toError(cause.message) : cause
  }
}

/** A null in a card means absent. */
const omitNull = (card: CardConfig): CardConfig =>
  Object.fromEntries(Object.entries(card).filter(([, value]) => value !== null))

/** A `~` begins the alias of a family, and a colon a variant. */
const isAliasList = (aliases: unknown): boolean =>
  Array.isArray(aliases) &&
  aliases.every((alias) => typeof alias === "string" && /^[^\s~:*][^\s:*]*$/.test(alias))

/** Checks nested field names before the schemas do, because their errors suggest no names. */
const checkNestedFields = (
  { card, video }: ModelConfig,
  wrong: (what: string) => RangeError
): void => {
  for (const [place, value, names] of [
    ["card", card, Object.keys(CardConfig.fields)],
    ["card.pricing", card?.pricing, priceFields],
    ["video", video, Object.keys(VideoCapabilities.fields)]
  ] as const) {
    const stranger = Object.keys(isObject(value) ? value : {}).find((name) => !names.includes(name))
    if (stranger !== undefined) {
      throw wrong(`${place}.${describeUnknownName(stranger, "field of it", names)}`)
    }
  }
}

const maxCreatedSeconds = 95_617_584_000

/** Whether a model generates videos: it has video capabilities, or videos among its outputs. */
export const isVideoModel = ({ card, video }: Pick<Model, "card" | "video">): boolean =>
  video !== undefined || card.architecture.output_modalities.includes("video")
