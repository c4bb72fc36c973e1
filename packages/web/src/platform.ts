/** Provides what the core needs from web standards: `fetch` for providers, and Web Crypto. */
import { DefaultPrices, OutboundHttp, Settings, type SettingsShape } from "@signalbox/core/adapter"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"

/**
 * For Effect hosts. Pass the `settings` of the instance, because one of them concerns connections. `make` does so itself.
 * Addresses that callers choose are reached only with `allowPrivateNetworks`, because `fetch` cannot connect to the
 * address that was checked.
 */
export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient | OutboundHttp> =>
  Layer.mergeAll(
    Digest.layerWebCrypto,
    httpClient,
    Layer.succeed(DefaultPrices, async () => (await import("@signalbox/prices")).modelsDevPrices),
    Layer.unwrap(
      Effect.map(Settings, (inherited) => {
        const { allowPrivateNetworks } = { ...inherited, ...settings }
        return allowPrivateNetworks
          ? Layer.effect(OutboundHttp, HttpClient.HttpClient).pipe(Layer.provide(httpClient))
          : OutboundHttp.layerNone
      })
    )
  )

/** A redirect would get the key of the provider, and a compressed stream arrives in larger pieces. */
const httpClient: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) =>
    client.pipe(
      HttpClient.mapRequest(HttpClientRequest.setHeader("accept-encoding", "identity")),
      HttpClient.transformResponse(
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
      )
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer))
