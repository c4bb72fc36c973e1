/** Requests of a running instance, with failures that say what to do next. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { usageError } from "../usageError.ts"
import { describeStatus, describeUnknownForm, describeUnreachable } from "./describeStatus.ts"
import type { Instance } from "./instanceFlags.ts"

/** What `path` holds, which begins below `/api/v1`; undefined when it is not there. */
export const findJson = <S extends Schema.ConstraintDecoder<unknown>>(
  instance: Instance,
  path: string,
  schema: S
) =>
  Effect.catchIf(
    getJson(instance, path, {}, schema),
    ({ cause }) => cause instanceof StatusError && cause.status === 404,
    () => Effect.undefined
  )

/** Asks for `path`, which begins below `/api/v1`; parameters that are undefined are left out. */
export const getJson = <S extends Schema.ConstraintDecoder<unknown>>(
  instance: Instance,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  schema: S
) => {
  const url = new URL(`${instance.url}/api/v1${path}`)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return send(instance, HttpClientRequest.get(url), schema)
}

export const postJson = <S extends Schema.ConstraintDecoder<unknown>>(
  instance: Instance,
  path: string,
  body: unknown,
  schema: S
) =>
  send(
    instance,
    HttpClientRequest.bodyJsonUnsafe(
      HttpClientRequest.post(new URL(`${instance.url}/api/v1${path}`)),
      body
    ),
    schema
  )

const send = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
  { key, url }: Instance,
  request: HttpClientRequest.HttpClientRequest,
  schema: S
) {
  const { status, text } = yield* HttpClient.execute(
    HttpClientRequest.bearerToken(request, key)
  ).pipe(
    Effect.flatMap((response) =>
      Effect.map(response.text, (text) => ({ status: response.status, text }))
    ),
    Effect.mapError((error) => usageError(describeUnreachable(url), error))
  )
  if (status !== 200) {
    return yield* usageError(
      describeStatus(url, status, findMessage(text)),
      new StatusError(status)
    )
  }
  return yield* Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text),
    (error) => usageError(describeUnknownForm(url), error)
  )
})

/** Whether the instance refuses the key, so that it would refuse the next request, too. */
export const isRefusal = ({ cause }: { readonly cause?: unknown }): boolean =>
  cause instanceof StatusError && (cause.status === 401 || cause.status === 403)

/** The instance answered with another status than 200. */
class StatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

const ErrorEnvelope = Schema.fromJsonString(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
)

const findMessage = (text: string): string | undefined => {
  const decoded = Schema.decodeUnknownResult(ErrorEnvelope)(text)
  return decoded._tag === "Success" ? decoded.success.error.message : undefined
}
