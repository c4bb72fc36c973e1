/** Makes images at a server with OpenRouter's images API. */
import {
  estimateImageWorstCase,
  type ImageCall,
  type ImageCapability,
  requestImages
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { parseCost } from "./parseCost.ts"

export interface ImagesEndpoint {
  /** The URL under which `/images` is. */
  readonly root: string
  readonly apiKey: Redacted.Redacted | undefined
  /** The most input tokens of one reference, for the reservation. */
  readonly maxImageTokens: number
  /** The most output tokens of one image, unless the endpoint limits them. */
  readonly maxOutputTokens: number
}

/** One request to `{root}/images` for each call, whole or streamed. The reported cost is the cost of the call. */
export const makeImageCapability = (endpoint: ImagesEndpoint): ImageCapability => {
  const { apiKey, maxImageTokens, maxOutputTokens, root } = endpoint
  return {
    generate: (call) =>
      requestImages(
        { url: `${root}/images`, apiKey: call.credential ?? apiKey, body: toBody(call) },
        call,
        { parseCost: ({ cost }) => parseCost(cost) }
      ),
    streams: true,
    estimateWorstCase: (call) => estimateImageWorstCase(call, { maxImageTokens, maxOutputTokens })
  }
}

const toBody = (call: ImageCall): Readonly<Record<string, unknown>> => {
  const fields = {
    ...call.parameters,
    model: call.model,
    prompt: call.prompt,
    n: call.n,
    size: call.size,
    resolution: call.resolution,
    aspect_ratio: call.aspectRatio,
    quality: call.quality,
    background: call.background,
    output_format: call.outputFormat,
    output_compression: call.outputCompression,
    seed: call.seed,
    mask: call.mask,
    input_references:
      call.references.length === 0
        ? undefined
        : call.references.map((url) => ({ type: "image_url", image_url: { url } })),
    ...(call.onProgress === undefined ? undefined : { stream: true, partial_images: call.previews })
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
