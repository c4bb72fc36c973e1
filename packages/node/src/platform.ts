/** Provides what the core needs from Node: HTTP clients for providers and for callbacks, SHA-256, and zlib. */
import {
  BodyInflater,
  IsTerminal,
  type OutboundHttp,
  Settings,
  type SettingsShape
} from "@signalbox/core/adapter"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { digestLayer } from "./digest.ts"
import { inflater } from "./inflater.ts"
import { outboundHttp } from "./outboundHttp.ts"
import { makeUndiciClient } from "./undiciClient.ts"

/** For Effect hosts. Pass the `settings` of the instance, because five of them concern connections. `make` does so itself. */
export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient | OutboundHttp> =>
  Layer.mergeAll(
    digestLayer,
    Layer.succeed(BodyInflater, inflater),
    Layer.sync(IsTerminal, () => process.stdout.isTTY),
    Layer.unwrap(
      Effect.gen(function* () {
        const merged = { ...(yield* Settings), ...settings }
        const { allowPrivateNetworks, connectTimeoutMillis, maxUpstreamConnections } = merged
        return Layer.merge(
          Layer.effect(
            HttpClient.HttpClient,
            makeUndiciClient(
              () => ({
                connect: { timeout: connectTimeoutMillis },
                connections: maxUpstreamConnections,
                // Longer than most providers keep a connection open, so that the provider closes it.
                keepAliveTimeout: 30_000
              }),
              { maxConnections: maxUpstreamConnections, timeoutMillis: toQueueMillis(merged) }
            )
          ),
          outboundHttp({ allowPrivateNetworks, connectTimeoutMillis })
        )
      })
    )
  )

/** The wait ends before the timeouts that count as the provider's. */
const toQueueMillis = ({
  connectionQueueTimeoutMillis,
  headersTimeoutMillis,
  totalTimeoutMillis
}: SettingsShape): number =>
  Math.min(connectionQueueTimeoutMillis, headersTimeoutMillis / 2, totalTimeoutMillis / 4)
