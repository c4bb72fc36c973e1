/** An answer in JSON that tells a secret: nobody on its way may keep it. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { jsonAnswer } from "./jsonAnswer.ts"

export const secretAnswer = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(jsonAnswer(body, status), "cache-control", "no-store")
