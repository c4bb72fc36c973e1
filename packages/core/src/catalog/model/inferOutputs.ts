/** What models put out, as their providers can ask them. */
import type { Upstream } from "../../upstreams/Upstream.ts"
import type { Endpoint } from "../endpoint/Endpoint.ts"
import type { ModelCard } from "./ModelCard.ts"

export type Upstreams = ReadonlyMap<string, Pick<Upstream, "chat" | "decisions" | "videos">>

/** What the card of a model says that states nothing; a model that chats is not listed for Decisions asked over chat. */
export const inferOutputs = (
  endpoints: ReadonlyArray<Pick<Endpoint, "provider">>,
  upstreams: Upstreams,
  makesVideos: boolean
): ReadonlyArray<string> => {
  if (makesVideos) return ["video"]
  const capabilities = endpoints.flatMap(({ provider }) => upstreams.get(provider) ?? [])
  const chats = capabilities.some(({ chat }) => chat !== undefined)
  const decides = capabilities.some(
    ({ chat, decisions }) => chat === undefined && decisions !== undefined
  )
  const outputs = [...(chats ? ["text"] : []), ...(decides ? ["decisions"] : [])]
  return outputs.length === 0 ? ["text"] : outputs
}

/** What a model is found by: Decisions too, where a provider asks them over chat. */
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
