/** Responds with 404 to a path outside the mount, for hosts without another handler. */
import * as Effect from "effect/Effect"
import { UnknownPath } from "../errors/ServerErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import { observeRequest } from "./observeRequest.ts"

/** Responds with 404; the request gets an id and a log line like any other. */
export const respondNotFound = observeRequest(
  Effect.sync(() => renderError(toErrorResponse(new UnknownPath()))),
  () => undefined
)
