import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Headers from "effect/http/Headers"
import { redactCause } from "../../engine/secrets/redact.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"

/** A request as an authenticator sees it, the same for every host. */
export interface AuthenticationRequest {
  /** In upper case, for example `POST`. */
  readonly method: string
  /** The path below the mount, without the query, for example `/api/v1/chat/completions`. */
  readonly path: string
  /** By name in lower case, for example `cookie`; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * The token of `Authorization: Bearer <token>`, or of `x-api-key`, which comes first, from clients of Anthropic's API;
   * undefined without such a header.
   */
  readonly token: string | undefined
}

/** The token of an `Authorization: Bearer <token>` header; undefined for anything else. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1]

/** The key of an `x-api-key` header; undefined without one. */
export const parseKeyHeader = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^ *(\S+) *$/.exec(header)?.[1]

/** The secrets of a request that the error of an authenticator may repeat, and that must not be logged. */
const listSecrets = ({ headers, token }: AuthenticationRequest): ReadonlyArray<string> => {
  const secret = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && /auth|cookie|key|secret|session|signature|token/.test(name)
      ? [value, ...(name === "cookie" ? parseCookieValues(value) : [])]
      : []
  )
  return token === undefined ? secret : [token, ...secret]
}

/** Shorter values, for example `dark`, are not secrets and occur in ordinary text. */
const parseCookieValues = (header: string): ReadonlyArray<string> =>
  header
    .split(";")
    .map((cookie) => cookie.slice(cookie.indexOf("=") + 1).trim())
    .filter((value) => value.length >= 8)

/** Errors of the host are defects, without the secrets of the request. */
export const callHost = <Request extends AuthenticationRequest, Result>(
  request: Request,
  call: (request: Request) => Result | Promise<Result> | Effect.Effect<Result, unknown>
): Effect.Effect<Result> =>
  Effect.suspend(() => {
    // A copy that neither changes the request nor prints its secrets.
    const headers = Headers.fromInput(request.headers)
    const answer = call({ ...request, headers })
    return Effect.isEffect(answer) ? Effect.orDie(answer) : Effect.promise(async () => answer)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.failCause(
        redactCause(cause, ...listSecrets(request).map((secret) => Redacted.make(secret)))
      )
    )
  )

const anyValue = Schema.optional(Schema.Unknown)

/** The options of all calls. Unknown ones are rejected, for example the fields of a caller outside of `caller`. */
const CallOptions = Schema.Struct({
  affinity: anyValue,
  betas: Schema.optional(Schema.Array(Schema.String)),
  caller: anyValue,
  signal: Schema.optional(
    Schema.declare((value): value is AbortSignal => Object(value).addEventListener !== undefined, {
      expected: "an AbortSignal"
    })
  ),
  health: anyValue,
  idempotencyKey: anyValue,
  mount: anyValue,
  onRoute: Schema.optional(
    Schema.declare((value): value is Function => typeof value === "function", {
      expected: "a function"
    })
  ),
  range: anyValue,
  seed: anyValue
})

const decode = Schema.decodeUnknownResult(CallOptions, { onExcessProperty: "error" })

/** Undefined when the options are valid. */
export const findCallOptionsProblem = (options: unknown): InvalidRequest | undefined => {
  if (options === undefined) return undefined
  const decoded = decode(options)
  return Result.isSuccess(decoded) ? undefined : toInvalidRequest(decoded.failure)
}
