/** Answers a request for a path that is not ours, where the host has nobody else to answer it. */
import * as Effect from "effect/Effect"
import { UnknownPath } from "../errors/ServerErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import { observeRequest } from "./observeRequest.ts"

/** The answer to a path that is none of ours, observed like any other. */
export const respondNotFound = observeRequest(
  Effect.sync(() => renderError(toErrorResponse(new UnknownPath()))),
  () => undefined
)
