/** A cheap request that shows whether a provider answers, and whether it takes the host's credential. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"
import { getJson } from "./transport/jsonRequests.ts"
import type { UpstreamRequest } from "./transport/UpstreamRequest.ts"

/** For diagnostics; routing never uses it. */
export interface UpstreamProbe {
  /** The requested URL without its query or secrets, such as `https://api.openai.com/v1/models`. */
  readonly url: string
  /** Whether the host has a credential, which the request has. */
  readonly hasCredential: boolean
  /** Any success means that the provider answers, and that it takes the credential if there is one. */
  readonly run: Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>
}

/** Gets JSON from `request.url`, such as the list of models. */
export const makeProbe = (request: UpstreamRequest): UpstreamProbe => {
  const { host, pathname, protocol } = new URL(request.url)
  return {
    url: `${protocol}//${host}${pathname}`,
    hasCredential: request.apiKey !== undefined || request.signer !== undefined,
    run: getJson(request)
  }
}
