/** Makes the console of an instance: what a host adapter mounts beside it. */
import {
  ApiKeys,
  App,
  type Caller,
  Callers,
  checkOptionTypes,
  Drain,
  type IncomingRequest,
  isCrossOrigin,
  makeWebHandler,
  matchRoute,
  type Mountable,
  type Respond,
  type Signalbox,
  toHttpResponse,
  toOperationId,
  type WebHandler
} from "@signalbox/core/adapter"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { hasToken, issueToken, setTokenCookie } from "./actionToken.ts"
import { type ActionGroup, findGroups, parseAllow } from "./actionGroups.ts"
import { contentActions, contentOperations, readOperations } from "./allowedOperations.ts"
import { type Authorize, makeAuthorizer } from "./Authorize.ts"
import { consoleRoutePaths, findSlashRedirect, parseConsolePath } from "./consolePath.ts"
import { isSameOrigin } from "./isSameOrigin.ts"
import { refuse } from "./refuse.ts"
import { respondAsset, respondPage } from "./respondFile.ts"
import { makeSecretGuard } from "./guardSecrets.ts"
import { restrictBody } from "./restrictBody.ts"
import { securityHeaders } from "./securityHeaders.ts"

export interface ConsoleOptions<Source = unknown> {
  /** Who may open the console, and as whom. */
  readonly authorize: Authorize<Source>
  /** What operators may change, such as `["keys", "budgets"]`; default: nothing. */
  readonly allow?: ReadonlyArray<ActionGroup>
  /** `true` is the same as `allow: ["deliveries", "disableKeys", "interns", "videos"]`; default: false. */
  readonly allowActions?: boolean
  /** Whether operators may read the prompts and answers that workspaces keep; default: false. */
  readonly showContent?: boolean
  /** Where your application ends the session, such as `/logout`: a path, or an `http:` or `https:` URL. The console links to it. */
  readonly signOutUrl?: string
}

/** A console, which every host adapter mounts like an instance. */
export interface Console<Source = unknown> extends Mountable<Source> {
  /** The handler of web-standard requests. `mount` is where the host serves it, such as `/console`. */
  readonly fetch: WebHandler<Source>
}

/**
 * The operations console of an instance, to mount at a path of its own. It shows what the caller that `authorize` returns
 * can read over the HTTP API. Throws a `RangeError` that says what to correct when an option is invalid.
 *
 * ```ts
 * app.use("/console", signalbox(consoleRoutes(instance, { authorize: isAdmin })))
 * ```
 */
export const consoleRoutes = <Source = unknown>(
  instance: Pick<Signalbox, "context">,
  options: ConsoleOptions<Source>
): Console<Source> => {
  checkOptionTypes("consoleRoutes", options, {
    authorize: ["function"],
    allow: ["object"],
    allowActions: ["boolean"],
    showContent: ["boolean"],
    signOutUrl: ["string"]
  })
  if (options.authorize === undefined) {
    throw new RangeError("consoleRoutes: authorize is missing; it says who may open the console")
  }
  if (!Context.isContext(Object(instance).context)) {
    throw new RangeError(
      "consoleRoutes takes a Signalbox instance; did you forget `await Signalbox.make()`?"
    )
  }
  if (options.signOutUrl !== undefined && !isLinkable(options.signOutUrl)) {
    throw new RangeError(
      "consoleRoutes: signOutUrl must be a path such as `/logout`, or an http: or https: URL"
    )
  }
  const app = Context.get(instance.context, App)
  const drain = Context.get(instance.context, Drain)
  const context = Context.add(instance.context, App, {
    match: (method: string, path: string) => parseConsolePath(method, path) !== undefined,
    routes: consoleRoutePaths,
    respond: makeRespond(instance.context, options, parseAllow(options)),
    respondNotFound: app.respondNotFound,
    respondDraining: app.respondDraining,
    scope: app.scope
    // What it reads of the instance would otherwise count itself.
  }).pipe(Context.add(Drain, { ...drain, enter: drain.enterAside }))
  return { context, fetch: makeWebHandler(context) }
}

/** A link with another scheme, such as `javascript:`, would run in the page. */
const isLinkable = (url: string): boolean => /^\/(?![/\\])/.test(url) || /^https?:\/\//i.test(url)

const makeRespond = (
  context: Signalbox["context"],
  { authorize, showContent = false, signOutUrl }: ConsoleOptions<never>,
  allow: ReadonlySet<ActionGroup>
): Respond => {
  const allowed = { allow, showContent, signOutUrl: signOutUrl ?? null }
  const app = Context.get(context, App)
  const guardSecrets = makeSecretGuard(Context.get(context, ApiKeys))
  // Safe: a mount of the wrong kind does not compile.
  const resolveCaller = makeAuthorizer(authorize as Authorize, Context.get(context, Callers))

  const dispatch = (
    request: IncomingRequest,
    caller: Caller
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const path = parseConsolePath(request.method, request.url)
    switch (path?.part) {
      case "page": {
        const location = findSlashRedirect(request)
        return location === undefined
          ? respondPage
          : Effect.succeed(HttpServerResponse.empty({ status: 308, headers: { location } }))
      }
      case "asset":
        return respondAsset(path.name, request)
      case "session":
        return Effect.succeed(respondSession(request, caller, allowed))
      case "api":
        return forward(request, caller)
      case undefined:
        return Effect.succeed(refuse(404, "the console has no such path"))
    }
  }

  const forward = (
    request: IncomingRequest,
    caller: Caller
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const matched = matchRoute(request.method, request.url)
    const operation = matched === undefined ? "" : toOperationId(matched.operation)
    const refusal = findRefusal(request, operation, allowed)
    if (refusal !== undefined) return Effect.succeed(refusal)
    request.caller = caller
    return Effect.flatMap(
      Effect.andThen(guardSecrets(operation, matched?.params, caller), (guarded) =>
        guarded === undefined ? restrictBody(request, operation, allow) : Effect.succeed(guarded)
      ),
      (refused) =>
        refused === undefined
          ? Effect.map(app.respond(request), (answer) => forbidStorage(toHttpResponse(answer)))
          : Effect.succeed(refused)
    )
  }

  return (request) =>
    Effect.flatMap(resolveCaller(request), (resolved) => {
      if (resolved === undefined) {
        return Effect.succeed(
          refuse(403, "you are not allowed to open this console", "not_authorized")
        )
      }
      return HttpServerResponse.isHttpServerResponse(resolved)
        ? Effect.succeed(resolved)
        : dispatch(request, resolved)
    }).pipe(
      Effect.interruptible,
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(
              Effect.logError("the console failed unexpectedly", cause),
              refuse(500, "the console failed unexpectedly")
            )
      ),
      Effect.map(HttpServerResponse.setHeaders(securityHeaders))
    )
}

/**
 * What the API answers here depends on who is signed in at the host, so no cache may keep it
 * (https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.5). Events keep the directives of their stream.
 */
const forbidStorage = (
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const directives = response.body._tag === "Stream" ? response.headers["cache-control"] : undefined
  return HttpServerResponse.setHeader(
    response,
    "cache-control",
    directives === undefined ? "no-store" : `${directives}, no-store`
  )
}

/** What the host said of its operators. */
interface Allowed {
  readonly allow: ReadonlySet<ActionGroup>
  readonly showContent: boolean
  readonly signOutUrl: string | null
}

const contentRefusal = refuse(
  403,
  "this console shows no prompts and answers; the host may show them"
)

/** Why a request to the API is not forwarded. */
const findRefusal = (
  request: IncomingRequest,
  operation: string,
  { allow, showContent }: Allowed
): HttpServerResponse.HttpServerResponse | undefined => {
  if (isCrossOrigin(request.headers, request))
    return refuse(403, "requests of other sites are refused")
  if (readOperations.has(operation)) return undefined
  if (contentOperations.has(operation)) {
    return showContent ? undefined : contentRefusal
  }
  const groups = findGroups(operation)
  const [group] = groups
  if (group === undefined) return refuse(404, "the console has no such operation")
  if (allow.size === 0) return refuse(403, "this console is read-only; the host may allow actions")
  if (!groups.some((group) => allow.has(group))) {
    return refuse(403, `the host of this console does not allow \`${group}\``)
  }
  if (contentActions.has(operation) && !showContent) return contentRefusal
  if (!isSameOrigin(request)) return refuse(403, "actions must come from the console's own page")
  if (!hasToken(request))
    return refuse(403, "the token of the page is missing or out of date; reload the page")
  return undefined
}

/** What the page needs to know of its session. */
const respondSession = (
  request: IncomingRequest,
  { account, user, workspace }: Caller,
  { allow, showContent, signOutUrl }: Allowed
): HttpServerResponse.HttpServerResponse => {
  const token = allow.size > 0 ? issueToken(request) : null
  const response = HttpServerResponse.jsonUnsafe(
    {
      data: {
        account,
        workspace,
        user: user ?? null,
        allow: Array.from(allow),
        show_content: showContent,
        sign_out_url: signOutUrl,
        token
      }
    },
    { headers: { "cache-control": "no-store" } }
  )
  return token === null ? response : setTokenCookie(response, token)
}
