/** The output modalities of models, derived from the capabilities of their upstreams. */
import type { Upstream } from "../../upstreams/Upstream.ts"
import type { Endpoint } from "../endpoint/Endpoint.ts"
import type { ModelCard } from "./ModelCard.ts"

export type Upstreams = ReadonlyMap<
  string,
  Pick<
    Upstream,
    | "chat"
    | "decisions"
    | "embeddings"
    | "images"
    | "rerank"
    | "speech"
    | "transcription"
    | "videos"
  >
>

/** The outputs of a card that states none. A chat model is not listed for Decisions that run over chat. */
export const inferOutputs = (
  endpoints: ReadonlyArray<Pick<Endpoint, "images" | "price" | "provider" | "speech">>,
  upstreams: Upstreams,
  makesVideos: boolean
): ReadonlyArray<string> => {
  if (makesVideos) return ["video"]
  // Only these are sold by what goes in.
  if (endpoints.some(({ price, speech }) => speech !== undefined || hasUnit(price, "character"))) {
    return ["speech"]
  }
  if (endpoints.some(({ price }) => hasUnit(price, "second"))) return ["transcription"]
  // A host says what images cost only of a model that makes them.
  if (endpoints.some(({ images }) => images !== undefined)) return ["image"]
  const capabilities = endpoints.flatMap(({ provider }) => upstreams.get(provider) ?? [])
  const chats = capabilities.some(({ chat }) => chat !== undefined)
  const decides = capabilities.some(
    ({ chat, decisions }) => chat === undefined && decisions !== undefined
  )
  // A provider of chats has models of all kinds, so only the card says which of them make embeddings or rerank.
  const others = capabilities.some(({ chat, decisions }) => (chat ?? decisions) !== undefined)
    ? []
    : [
        ...(capabilities.some(({ embeddings }) => embeddings !== undefined) ? ["embeddings"] : []),
        ...(capabilities.some(({ speech }) => speech !== undefined) ? ["speech"] : []),
        ...(capabilities.some(({ transcription }) => transcription !== undefined)
          ? ["transcription"]
          : []),
        ...(capabilities.some(({ images }) => images !== undefined) ? ["image"] : []),
        ...(capabilities.some(({ rerank }) => rerank !== undefined) ? ["rerank"] : [])
      ]
  const outputs = [...(chats ? ["text"] : []), ...(decides ? ["decisions"] : []), ...others]
  return outputs.length === 0 ? ["text"] : outputs
}

const hasUnit = ({ others }: Endpoint["price"], unit: "character" | "second"): boolean =>
  Object.hasOwn(others, unit)

/** The outputs a search matches: including Decisions that run over chat. */
export const listSearchableOutputs = (
  {
    card,
    endpoints
  }: {
    readonly card: ModelCard
    readonly endpoints: ReadonlyArray<Pick<Endpoint, "provider">>
  },
  upstreams: Upstreams
): ReadonlyArray<string> => {
  const { output_modalities: outputs } = card.architecture
  const isDecidedOverChat =
    outputs.includes("text") &&
    !outputs.includes("decisions") &&
    endpoints.some(({ provider }) => upstreams.get(provider)?.decisions?.usesChat === true)
  return isDecidedOverChat ? [...outputs, "decisions"] : outputs
}
