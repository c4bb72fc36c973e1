/** Makes models for `Signalbox.make` of listed ones, and says what it could not take. */
import {
  type EndpointConfig,
  makeConfiguration,
  type ModelConfig,
  parseModelList
} from "@signalbox/core/catalog"
import * as Result from "effect/Result"
import { findLostFields } from "./findLostFields.ts"
import { type ListedEndpoint, toEndpointConfig } from "./ListedEndpoint.ts"
import { toReason } from "./toReason.ts"
import { describeEntry, isRecord, type Listing } from "./readListing.ts"

export interface ConvertOptions {
  /** The names of models that are wanted. */
  readonly wants: (id: string) => boolean
  /** The tags of endpoints that are wanted. */
  readonly wantsEndpoint: (tag: string) => boolean
  /** The upstream of the only endpoint of each model, where `endpoints` is absent. */
  readonly servedBy: string
  /** By model; a failure says why the model has no endpoints. Absent: each model gets one endpoint at `servedBy`. */
  readonly endpoints?: ReadonlyMap<string, Result.Result<ReadonlyArray<ListedEndpoint>, string>>
}

/** Something that was not taken, and why. */
interface LeftOut {
  readonly model: string
  /** Its tag; absent: the whole model. */
  readonly endpoint?: string
  readonly reason: string
}

export interface ConvertedListing {
  readonly models: ReadonlyArray<ModelConfig>
  readonly leftOut: ReadonlyArray<LeftOut>
  /** How many models lost a field, by its path. */
  readonly lostFields: ReadonlyMap<string, number>
  /** How many models the filters left out. */
  readonly unwanted: number
}

export const convertListing = (listing: Listing, options: ConvertOptions): ConvertedListing => {
  const models = new Map<string, ModelConfig>()
  const leftOut: Array<LeftOut> = []
  const lostFields = new Map<string, number>()
  let unwanted = 0
  for (const [index, entry] of listing.entries()) {
    const name = describeEntry(entry, index)
    if (!options.wants(name)) {
      unwanted += 1
      continue
    }
    const converted = Result.try({
      try: () => convertEntry(name, entry, options, leftOut),
      catch: toReason
    })
    if (Result.isFailure(converted)) {
      leftOut.push({ model: name, reason: converted.failure })
    } else if (models.has(name)) {
      leftOut.push({ model: name, reason: "it is listed twice; the first one is taken" })
    } else {
      models.set(name, converted.success)
      for (const field of findLostFields(omitDerived(entry), toEntry(converted.success))) {
        lostFields.set(field, (lostFields.get(field) ?? 0) + 1)
      }
    }
  }
  return { models: Array.from(models.values()), leftOut, lostFields, unwanted }
}

/** Throws a `RangeError` that says why a model cannot be taken. */
const convertEntry = (
  name: string,
  entry: unknown,
  { endpoints, servedBy, wantsEndpoint }: ConvertOptions,
  leftOut: Array<LeftOut>
): ModelConfig => {
  const [model] = parseModelList(
    [entry],
    endpoints === undefined ? { servedBy: { provider: servedBy } } : {}
  )
  if (model === undefined) throw new RangeError("it is empty")
  if (endpoints === undefined) return checkModel(model)
  const listed = endpoints.get(name) ?? Result.fail("its endpoints were not read")
  if (Result.isFailure(listed)) throw new RangeError(listed.failure)
  const taken = new Map<string, EndpointConfig>()
  for (const endpoint of listed.success) {
    const { tag } = endpoint
    if (!wantsEndpoint(tag)) continue
    const converted = Result.try({
      try: () => {
        if (taken.has(tag.toLowerCase())) {
          throw new RangeError("it is listed twice; the first one is taken")
        }
        const config = toEndpointConfig(name, endpoint)
        checkModel({ ...model, endpoints: [config] })
        return config
      },
      catch: toReason
    })
    if (Result.isSuccess(converted)) taken.set(tag.toLowerCase(), converted.success)
    else leftOut.push({ model: name, endpoint: tag, reason: converted.failure })
  }
  if (taken.size === 0) throw new RangeError("it has no endpoint that can be taken")
  return checkModel({ ...model, endpoints: Array.from(taken.values()) })
}

/** Throws the `RangeError` with which an instance would refuse the model. */
const checkModel = (model: ModelConfig): ModelConfig => {
  const providers = new Set(model.endpoints?.map(({ provider }) => provider))
  makeConfiguration(
    1,
    Array.from(providers, (slug) => ({ slug, name: slug })),
    [model]
  )
  return model
}

/** The instance that lists the model makes its own links. */
const omitDerived = (entry: unknown): unknown => {
  if (!isRecord(entry)) return entry
  const { links: _, ...stated } = entry
  return stated
}

const toEntry = ({ card, created, id, name }: ModelConfig): unknown => ({
  ...card,
  id,
  name,
  created
})
