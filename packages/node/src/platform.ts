/** What the core needs of Node: HTTP clients for those it was given and for those callers name, SHA-256, and zlib. */
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

/** For Effect hosts: hand over the `settings` of the box, of which two concern connections; `make` does. */
export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient | OutboundHttp> =>
  Layer.mergeAll(
    digestLayer,
    Layer.succeed(BodyInflater, inflater),
    Layer.sync(IsTerminal, () => process.stdout.isTTY),
    Layer.unwrap(
      Effect.gen(function* () {
        const { allowPrivateNetworks, connectTimeoutMillis } = {
          ...(yield* Settings),
          ...settings
        }
        return Layer.merge(
          Layer.effect(
            HttpClient.HttpClient,
            makeUndiciClient(() => ({
              connect: { timeout: connectTimeoutMillis },
              // Longer than most providers keep a connection, so that they are the ones to close it.
              keepAliveTimeout: 30_000
            }))
          ),
          outboundHttp({ allowPrivateNetworks, connectTimeoutMillis })
        )
      })
    )
  )
