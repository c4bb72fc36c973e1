/** Calls providers with undici: how many connections each has, and how long a request waits for one. */
import type { SettingsShape } from "@signalbox/core/adapter"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { makeUndiciClient } from "./undiciClient.ts"

export const upstreamHttp = (settings: SettingsShape): Layer.Layer<HttpClient.HttpClient> => {
  const { connectTimeoutMillis, maxUpstreamConnections } = settings
  return Layer.effect(
    HttpClient.HttpClient,
    makeUndiciClient(
      () => ({
        connect: { timeout: connectTimeoutMillis },
        connections: maxUpstreamConnections,
        // Longer than most providers keep a connection open, so that the provider closes it.
        keepAliveTimeout: 30_000
      }),
      { maxConnections: maxUpstreamConnections, timeoutMillis: toQueueMillis(settings) }
    )
  )
}

/** The wait ends before the timeouts that count as the provider's. */
const toQueueMillis = ({
  connectionQueueTimeoutMillis,
  headersTimeoutMillis,
  totalTimeoutMillis
}: SettingsShape): number =>
  Math.min(connectionQueueTimeoutMillis, headersTimeoutMillis / 2, totalTimeoutMillis / 4)
