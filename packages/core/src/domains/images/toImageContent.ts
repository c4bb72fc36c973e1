/** The request and the answer of images for the I/O log, without the files: they have megabytes. */
import * as Exit from "effect/Exit"
import type { IoContent } from "../../engine/observability/broadcast/Sink.ts"
import type { RouteResult } from "../../routing/RouteQuery.ts"
import { listParameters } from "./fitImages.ts"
import type { CheckedImages } from "./makeImageWork.ts"
import type { ParsedImages } from "./parseImageRequest.ts"

export const toImageContent = (
  parsed: ParsedImages,
  exit: Exit.Exit<RouteResult<CheckedImages>, unknown>
): IoContent => {
  const { bytes, items, parameters, request } = parsed
  return {
    bytes: Math.min(bytes, maxBytes),
    input: {
      ...parameters,
      ...listParameters(parsed),
      prompt: request.prompt,
      ...(items.length === 0 ? undefined : { input_references: items.map(truncateAddress) }),
      ...(request.mask === undefined ? undefined : { mask: truncateAddress(request.mask) })
    },
    ...(Exit.isSuccess(exit)
      ? {
          output: exit.value.value.images.map(({ base64, mediaType }) => ({
            media_type: mediaType ?? null,
            bytes: Math.floor((base64.length * 3) / 4)
          }))
        }
      : undefined)
  }
}

/** Files are left out, so that what remains is about as long as the prompt. */
const maxBytes = 100_000

/** Characters of a `data:` address that are kept. */
const maxAddress = 100

const truncateAddress = (address: string): string =>
  address.length > maxAddress && /^data:/i.test(address)
    ? `${address.slice(0, maxAddress)}...`
    : address
