/** Reads JSON from a URL that the user names, with limits on time and size. */
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { usageError } from "../usageError.ts"

const timeoutSeconds = 60
/** Larger than any catalog; an endless answer would fill the memory. */
const maxBytes = 64 * 2 ** 20

/** A server of catalogs, and the key for it if it needs one. */
export interface CatalogServer {
  /** Without `/api/v1` and a slash at the end. */
  readonly url: string
  readonly key: Redacted.Redacted | undefined
}

/** `path` begins below `/api/v1`. */
export const fetchJson = (
  { key, url }: CatalogServer,
  path: string
): Effect.Effect<unknown, CliError.UserError, HttpClient.HttpClient> => {
  const request = HttpClientRequest.acceptJson(HttpClientRequest.get(`${url}/api/v1${path}`))
  return HttpClient.execute(
    key === undefined ? request : HttpClientRequest.bearerToken(request, key)
  ).pipe(
    Effect.mapError((error) =>
      usageError(`Could not reach ${url}: is the address right, and the server up?`, error)
    ),
    Effect.flatMap((response) =>
      response.status === 200
        ? Effect.flatMap(readBytes(url, response.stream), (bytes) => parseJson(url, bytes))
        : Effect.fail(usageError(describeStatus(url, path, response.status)))
    ),
    Effect.timeoutOrElse({
      duration: `${timeoutSeconds} seconds`,
      orElse: () =>
        Effect.fail(
          usageError(`${url} did not answer within ${timeoutSeconds} seconds: try again later`)
        )
    })
  )
}

const readBytes = <E>(url: string, stream: Stream.Stream<Uint8Array, E>) =>
  Stream.runFoldEffect(
    Stream.mapError(stream, (error) =>
      usageError(`${url} broke off its answer: try again later`, error)
    ),
    () => ({ chunks: new Array<Uint8Array>(), length: 0 }),
    (read, chunk) => {
      const length = read.length + chunk.byteLength
      if (length > maxBytes) {
        return Effect.fail(
          usageError(`${url} answers with more than ${maxBytes / 2 ** 20} MiB, which is no catalog`)
        )
      }
      read.chunks.push(chunk)
      return Effect.succeed({ chunks: read.chunks, length })
    }
  ).pipe(Effect.map(({ chunks }) => Buffer.concat(chunks)))

const parseJson = (url: string, bytes: Buffer): Effect.Effect<unknown, CliError.UserError> =>
  Effect.try({
    try: (): unknown => JSON.parse(bytes.toString("utf8")),
    catch: (error) => usageError(`${url} does not answer with JSON: is the address right?`, error)
  })

const describeStatus = (url: string, path: string, status: number): string => {
  switch (status) {
    case 401:
    case 403:
      return `${url} answered ${status}: name the variable that holds a key for it with --source-key-env`
    case 404:
      return `${url} has no ${path.split("?")[0]}: is the address right, such as https://openrouter.ai?`
    default:
      return `${url} answered ${status}: try again later`
  }
}
