/** Provides what the core needs from Node: HTTP clients for providers and for callbacks, SHA-256, and zlib. */
import {
  BodyInflater,
  DefaultPrices,
  IsTerminal,
  type OutboundHttp,
  Settings,
  type SettingsShape
} from "@signalbox/core/adapter"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { digestLayer } from "./digest.ts"
import { inflater } from "./inflater.ts"
import { outboundHttp } from "./outboundHttp.ts"
import { upstreamHttp } from "./upstreamHttp.ts"

/** For Effect hosts. Pass the `settings` of the instance, because five of them concern connections. `make` does so itself. */
export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient | OutboundHttp> =>
  Layer.mergeAll(
    digestLayer,
    Layer.succeed(BodyInflater, inflater),
    Layer.succeed(DefaultPrices, async () => (await import("@signalbox/prices")).modelsDevPrices),
    Layer.sync(IsTerminal, () => process.stdout.isTTY),
    Layer.unwrap(
      Effect.map(Settings, (ofInstance) => {
        const merged = { ...ofInstance, ...settings }
        return Layer.merge(upstreamHttp(merged), outboundHttp(merged))
      })
    )
  )
