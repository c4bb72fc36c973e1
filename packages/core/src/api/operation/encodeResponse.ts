/** Encodes a body that may be large as a response, without blocking the event loop. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { encodeJson } from "../../values/json/encodeJson.ts"
import { isSmallJson } from "../../values/json/isSmallJson.ts"

export const encodeResponse = (
  body: object,
  headers: Readonly<Record<string, string>>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  isSmallJson(body)
    ? Effect.succeed(HttpServerResponse.jsonUnsafe(body, { headers }))
    : Effect.map(encodeJson(body), (bytes) =>
        HttpServerResponse.uint8Array(bytes, { contentType: "application/json", headers })
      )
