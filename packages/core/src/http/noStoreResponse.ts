/** An answer in JSON that tells a secret: nobody on its way may keep it. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { jsonResponse } from "./jsonResponse.ts"

export const noStoreResponse = (
  body: unknown,
  status = 200
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(jsonResponse(body, status), "cache-control", "no-store")
