/** Logs once when telemetry cannot be exported, and once when it can again. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"

/** For the exporters of Effect, which drop what they cannot send and log it only at the level DEBUG. */
export const layerExportReporter: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      /** Origins of unreachable collectors, and URLs that collectors reject. */
      const failing = new Set<string>()
      const reportFailure = (key: string, why: string) =>
        Effect.suspend(() => {
          if (failing.has(key)) return Effect.void
          failing.add(key)
          return Effect.logWarning(`telemetry cannot be exported to ${key}: ${why}`)
        })
      const reportRecovery = (keys: ReadonlyArray<string>) =>
        Effect.forEach(keys, (key) =>
          failing.delete(key)
            ? Effect.logInfo(`telemetry is exported to ${key} again`)
            : Effect.void
        )
      return HttpClient.transform(client, (exporting, { url }) => {
        const [collector, path] = toExportKeys(url)
        return Effect.tapError(
          Effect.tap(exporting, ({ status }) =>
            status < 400
              ? reportRecovery([collector, path])
              : reportFailure(path, `it answers ${status}`)
          ),
          (error) => reportFailure(collector, toReason(error))
        )
      })
    })
  )

/** Without user, password and query, which may be secrets. */
const toExportKeys = (url: string): readonly [collector: string, path: string] => {
  if (!URL.canParse(url)) return ["its url", "its url"]
  const { origin, pathname } = new URL(url)
  return [origin, origin + pathname]
}

/** Only the kind, because the error contains the whole URL. */
const toReason = ({ reason }: HttpClientError.HttpClientError): string => reason._tag
