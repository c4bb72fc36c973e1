/** Reranks documents in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../instance/Settings.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { decodeRerankRequest } from "./parseRerankRequest.ts"
import type { Ranking } from "./Ranking.ts"
import type { RerankRequest } from "./RerankRequest.ts"
import { type RerankError, Reranks } from "./Reranks.ts"
import * as Step from "../../values/Step.ts"

export type RerankCallError = CustomerRefused | RerankError | InvalidRequest | RequestTooLarge

/** Ranks the documents of a request, and begins when it is called. */
export const makeRerank = (services: Context.Context<Callers | Reranks>) => {
  const callers = Context.get(services, Callers)
  const reranks = Context.get(services, Reranks)
  const settings = Context.get(services, Settings)
  return (
    request: RerankRequest,
    caller?: CallerConfig,
    observer?: RouteObserver
  ): Effect.Effect<Ranking, RerankCallError> =>
    Step.flatMap(resolveCallerWith(callers, caller), (resolved) =>
      Step.flatMap(parseInProcess(request, settings, decodeRerankRequest), (parsed) =>
        reranks.submit(resolved, parsed, observer)
      )
    )
}
