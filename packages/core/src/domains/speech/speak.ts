/** Speaks texts in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { Settings } from "../../instance/Settings.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { Speeches, type SpeechError, type SpeechStream } from "./Speeches.ts"
import { decodeSpeechRequest } from "./parseSpeechRequest.ts"
import type { SpeechRequest } from "./SpeechRequest.ts"

export type SpeechCallError = CustomerRefused | SpeechError | InvalidRequest | RequestTooLarge

/** Speaks the text of a request for a caller (default: the application itself). */
export const makeSpeak = (services: Context.Context<Callers | Speeches>) => {
  const callers = Context.get(services, Callers)
  const speeches = Context.get(services, Speeches)
  const settings = Context.get(services, Settings)
  return (
    request: SpeechRequest,
    caller?: CallerConfig,
    observer?: RouteObserver
  ): Effect.Effect<SpeechStream, SpeechCallError, Scope.Scope> =>
    Effect.flatMap(resolveCallerWith(callers, caller), (resolved) =>
      Effect.flatMap(parseInProcess(request, settings, decodeSpeechRequest), (parsed) =>
        speeches.submit(resolved, parsed, observer)
      )
    )
}
