/** Who may open the console: a function of the host that turns a request into a management caller, or refuses it. */
import {
  type AuthenticationRequest,
  type Caller,
  type CallerConfig,
  callHost,
  type Callers,
  canManageAccount,
  type IncomingRequest,
  toAuthenticationRequest
} from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A request as `authorize` sees it, with the host's own request as its `source`. */
export type ConsoleRequest<Source = unknown> = AuthenticationRequest<Source>

/**
 * - a caller, whose account the console shows. Without a `kind` it manages its account.
 * - nothing: the request is refused with 403.
 * - a response: it is sent in place of the console, such as a redirect to a login page.
 */
export type AuthorizeResult = CallerConfig | Response | null | undefined

/** Called for every request. Its errors are bugs: they are logged, and the response is a 500. */
export type Authorize<Source = unknown> = (
  request: ConsoleRequest<Source>
) => AuthorizeResult | Promise<AuthorizeResult> | Effect.Effect<AuthorizeResult, unknown>

/** The caller of a request, or the response of the host; undefined if it is refused. */
type Resolve = (
  request: IncomingRequest
) => Effect.Effect<Caller | HttpServerResponse.HttpServerResponse | undefined>

export const makeAuthorizer =
  (authorize: Authorize, callers: Callers["Service"]): Resolve =>
  (request) =>
    Effect.flatMap(
      callHost<ConsoleRequest, AuthorizeResult>(toAuthenticationRequest(request), authorize),
      (answer): ReturnType<Resolve> => {
        if (answer === null || answer === undefined) return Effect.undefined
        return answer instanceof Response
          ? Effect.succeed(HttpServerResponse.fromWeb(answer))
          : resolveManager(answer, callers)
      }
    )

const resolveManager = (config: CallerConfig, callers: Callers["Service"]): Effect.Effect<Caller> =>
  callers
    .resolve(config.kind === undefined ? { canManage: true, ...config } : config, "organization")
    .pipe(
      Effect.mapError((error) =>
        error._tag === "InvalidRequest"
          ? [error.path.join("."), error.problem].filter((part) => part !== "").join(": ")
          : error.message
      ),
      Effect.flatMap((caller) =>
        canManageAccount(caller) && caller.kind !== "host"
          ? Effect.succeed(caller)
          : Effect.fail("the caller does not manage its account; leave `kind` out")
      ),
      Effect.catch((problem) =>
        Effect.die(new RangeError(`authorize returned no manager: ${problem}`))
      )
    )
