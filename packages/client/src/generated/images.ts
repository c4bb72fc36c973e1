/** Images: the operations of the group `images`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import { flattenExtra } from "../flattenExtra.ts"
import type { ImageEvent, ImageList } from "./types/ImageList.ts"
import type { ImageRequest } from "./types/ImageRequest.ts"
import type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"

/** Images. */
export const images = (connection: Connection) => ({
  /** Make images, whole or streamed. */
  create: (
    request: ImageRequest,
    options?: CallOptions
  ): Promise<ImageList & WithRoutingMetadata> =>
    connection.call("POST /api/v1/images", flattenExtra(request), options),
  /** The same, streamed. Breaking out of the loop ends the request. */
  stream: (request: ImageRequest, options?: CallOptions): AsyncIterable<ImageEvent> =>
    connection.stream(
      "POST /api/v1/images",
      { ...flattenExtra(request), stream: true },
      "[DONE]",
      options
    ),
  /** Make images by OpenAI's API. */
  generate: (
    request: ImageRequest,
    options?: CallOptions
  ): Promise<ImageList & WithRoutingMetadata> =>
    connection.call("POST /api/v1/images/generations", flattenExtra(request), options),
  /** Edit images by OpenAI's API. */
  edit: (
    request: Omit<ImageRequest, "input_references"> & {
      readonly image: string | ReadonlyArray<string>
    },
    options?: CallOptions
  ): Promise<ImageList & WithRoutingMetadata> =>
    connection.call("POST /api/v1/images/edits", flattenExtra(request), options)
})
