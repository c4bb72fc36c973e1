/** Responses: the operations of the group `responses`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import { flattenExtra } from "../flattenExtra.ts"
import type { ResponseObject } from "./types/ResponseObject.ts"
import type { ResponsesEvent } from "./types/ResponsesEvent.ts"
import type { ResponsesRequest } from "./types/ResponsesRequest.ts"
import type { WithRoutingMetadata } from "./types/WithRoutingMetadata.ts"

/** Responses. */
export const responses = (connection: Connection) => ({
  /** Create a response, whole or streamed. */
  create: (
    request: ResponsesRequest,
    options?: CallOptions
  ): Promise<ResponseObject & WithRoutingMetadata> =>
    connection.call("POST /api/v1/responses", flattenExtra(request), options),
  /** The same, streamed. Breaking out of the loop ends the request. */
  stream: (request: ResponsesRequest, options?: CallOptions): AsyncIterable<ResponsesEvent> =>
    connection.stream(
      "POST /api/v1/responses",
      { ...flattenExtra(request), stream: true },
      "[DONE]",
      options
    )
})
