/** An image model of the AI SDK whose calls an instance routes. */
import type { ImageModelV4, ImageModelV4File, ImageModelV4Result } from "@ai-sdk/provider"
import type { ImageList, ImageRequest } from "@signalbox/core/contract"
import * as Base64 from "effect/encoding/Base64"
import { toJson, writeCost } from "./callMetadata.ts"
import { optionsKey } from "./readOptions.ts"
import { beginCall, type ModelContext, providerName } from "./SignalboxInstance.ts"
import { imageOptionNames } from "./SignalboxOptions.ts"
import { toCallError } from "./toCallError.ts"

/** The most that a request may ask for; the AI SDK makes several calls for more. */
const maxImagesPerCall = 10

export const makeImageModel = (modelId: string, context: ModelContext): ImageModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  maxImagesPerCall,
  supportsFileInputs: true,
  supportsMaskInputs: true,
  doGenerate: async ({
    aspectRatio,
    files = [],
    mask,
    n,
    prompt = "",
    seed,
    size,
    ...call
  }): Promise<ImageModelV4Result> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, imageOptionNames)
    const request = {
      ...options,
      model: modelId,
      prompt,
      n,
      ...(size === undefined ? undefined : { size }),
      ...(aspectRatio === undefined ? undefined : { aspect_ratio: aspectRatio }),
      ...(seed === undefined ? undefined : { seed }),
      ...(files.length === 0
        ? undefined
        : {
            input_references: files.map((file) => ({
              type: "image_url",
              image_url: { url: toAddress(file) }
            }))
          }),
      ...(mask === undefined ? undefined : { mask: toAddress(mask) })
      // Signalbox checks the options, as it does with JSON.
    } as ImageRequest
    let list: ImageList
    try {
      list = await context.instance.generateImages(request, callOptions)
    } catch (error) {
      throw toCallError(error, "generateImages", request, route)
    }
    const { created, data, id, model, provider, usage } = list
    const facts = toJson({
      generationId: id,
      model,
      provider,
      ...writeCost(usage),
      ...route.toRouting()
    })
    return {
      images: data.map(({ b64_json: base64 }) => base64),
      usage: {
        inputTokens: usage.prompt_tokens,
        outputTokens: usage.completion_tokens,
        totalTokens: usage.total_tokens
      },
      providerMetadata: {
        [optionsKey]: {
          ...facts,
          // Of the metadata of several calls, the AI SDK joins that of images alone.
          images: data.map(({ media_type: mediaType }, index) => ({
            mediaType: mediaType ?? null,
            ...(index === 0 ? facts : undefined)
          }))
        }
      },
      response: { timestamp: new Date(created * 1_000), modelId: model, headers: undefined },
      warnings: warnings.list(route.metadata, { model, provider })
    }
  }
})

const toAddress = (file: ImageModelV4File): string => {
  if (file.type === "url") return file.url
  const { data, mediaType } = file
  const base64 = typeof data === "string" ? data : Base64.encode(data)
  return `data:${mediaType};base64,${base64}`
}
