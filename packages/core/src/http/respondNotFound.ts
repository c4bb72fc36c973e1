/** Answers a request for a path that is not ours, where the host has nobody else to answer it. */
import * as Effect from "effect/Effect"
import { notFound } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { observeRequest } from "./observeRequest.ts"

/** The answer to a path that is none of ours, observed like any other. */
export const respondNotFound = observeRequest(
  Effect.sync(() => refuse(notFound)),
  () => undefined
)
