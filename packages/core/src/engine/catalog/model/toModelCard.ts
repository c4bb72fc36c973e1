/** Builds the card of a model from its config and its endpoints. */
import type { Endpoint } from "../endpoint/Endpoint.ts"
import type { CardConfig, ModelCard } from "./ModelCard.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import * as Price from "../endpoint/Price.ts"

/** The parts of a model config that its card shows. */
interface ModelCardInput {
  readonly id: string
  readonly name?: string
  readonly created?: number
  readonly card?: CardConfig
}

/** The inputs of a card that states none. A host says what images cost that go in only of a model that takes them. */
const inferInputs = (
  outputs: ReadonlyArray<string>,
  endpoints: ReadonlyArray<Pick<Endpoint, "images">>
): ReadonlyArray<string> => {
  if (outputs.includes("transcription")) return ["audio"]
  const takesImages = endpoints.some(({ images }) =>
    images?.prices?.some(({ billable }) => /^input_(?:image|reference)$/.test(billable))
  )
  return takesImages ? ["text", "image"] : ["text"]
}

export const toModelCard = (
  { card = {}, created, id, name }: ModelCardInput,
  endpoints: ReadonlyArray<Endpoint>,
  /** The output modalities when the card states none. */
  likelyOutputs: ReadonlyArray<string>
): ModelCard => {
  const { architecture, benchmarks, top_provider } = card
  const top = findTopEndpoint(endpoints)
  const outputs = architecture?.output_modalities ?? likelyOutputs
  const inputs = architecture?.input_modalities ?? inferInputs(outputs, endpoints)
  const contextLength = findContextLength(card, endpoints)
  const pricing = card.pricing ?? (top === undefined ? {} : Price.toPriceList(top.price))
  const canonicalSlug = card.canonical_slug ?? id
  return {
    id,
    canonical_slug: canonicalSlug,
    name: name ?? id,
    description: card.description ?? "",
    created: created ?? 0,
    context_length: contextLength ?? null,
    architecture: {
      input_modalities: inputs,
      output_modalities: outputs,
      modality: architecture?.modality ?? `${inputs.join("+")}->${outputs.join("+")}`,
      tokenizer: architecture?.tokenizer ?? "Other",
      instruct_type: architecture?.instruct_type ?? "none"
    },
    pricing: { ...pricing, ...fillRequiredPrices(pricing) },
    top_provider: {
      ...omitUndefined({
        context_length: toKnownTokens(top_provider?.context_length) ?? top?.contextLength,
        max_completion_tokens:
          toKnownTokens(top_provider?.max_completion_tokens) ?? top?.maxCompletionTokens
      }),
      is_moderated: top_provider?.is_moderated ?? false
    },
    per_request_limits: card.per_request_limits ?? null,
    supported_parameters:
      card.supported_parameters ??
      Array.from(
        new Set(endpoints.flatMap((endpoint) => [...(endpoint.supportedParameters ?? [])]))
      ),
    default_parameters: card.default_parameters ?? null,
    supported_voices: card.supported_voices ?? null,
    knowledge_cutoff: card.knowledge_cutoff ?? null,
    expiration_date: card.expiration_date ?? null,
    ...(card.hugging_face_id === undefined ? undefined : { hugging_face_id: card.hugging_face_id }),
    ...(card.reasoning == null ? undefined : { reasoning: card.reasoning }),
    ...(benchmarks == null ? undefined : { benchmarks: toBenchmarks(benchmarks) }),
    ...(card.alias_target == null ? undefined : { alias_target: card.alias_target }),
    links: { details: `/api/v1/models/${encodeSlug(canonicalSlug)}/endpoints` }
  }
}

/** A missing token price is unknown; any other missing price is zero. */
const fillRequiredPrices = ({ completion = "-1", image = "0", prompt = "-1", request = "0" }) => ({
  prompt,
  completion,
  request,
  image
})

const toBenchmarks = ({
  artificial_analysis: indices,
  design_arena = []
}: NonNullable<CardConfig["benchmarks"]>) => ({
  ...(indices === undefined
    ? undefined
    : {
        artificial_analysis: {
          intelligence_index: indices.intelligence_index ?? null,
          coding_index: indices.coding_index ?? null,
          agentic_index: indices.agentic_index ?? null
        }
      }),
  design_arena
})

/** The endpoint whose price and limits the card shows: the cheapest of the default tier with a known price, else the first. */
const findTopEndpoint = (endpoints: ReadonlyArray<Endpoint>): Endpoint | undefined => {
  const open = endpoints.filter(({ price, tier }) => tier === "default" && Price.isKnown(price))
  return open.length === 0
    ? endpoints[0]
    : open.reduce((top, endpoint) =>
        computeMeanPrice(endpoint) < computeMeanPrice(top) ? endpoint : top
      )
}

const computeMeanPrice = ({ price: { approximate } }: Endpoint): number =>
  (approximate.prompt + approximate.completion) / 2

/** Undefined when unknown. */
export const findContextLength = (
  { context_length, top_provider }: Pick<CardConfig, "context_length" | "top_provider">,
  endpoints: ReadonlyArray<Endpoint>
): number | undefined =>
  toKnownTokens(context_length) ??
  findLongest(endpoints.map(({ contextLength }) => contextLength)) ??
  toKnownTokens(top_provider?.context_length)

const findLongest = (lengths: ReadonlyArray<number | undefined>): number | undefined => {
  const known = lengths.filter((length) => length !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Servers of this API return 0 for unknown. */
const toKnownTokens = (tokens: number | null | undefined): number | undefined =>
  tokens === null || tokens === 0 ? undefined : tokens

/** `author/slug` as path segments; later slashes are part of the slug and are escaped. */
const encodeSlug = (slug: string): string => {
  const [author = "", ...rest] = slug.split("/")
  return [author, ...(rest.length === 0 ? [] : [rest.join("/")])].map(encodePathSegment).join("/")
}

/** Colons and tildes stay readable. */
const encodePathSegment = (part: string): string =>
  encodeURIComponent(part).replaceAll("%3A", ":").replaceAll("%7E", "~")
