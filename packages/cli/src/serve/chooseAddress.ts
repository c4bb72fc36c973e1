/** Chooses where a server listens: the flags, else the configuration, else the environment, else the defaults. */
import { toMountPrefix } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ServerConfig } from "../config/Config.ts"
import { readVariable } from "../readVariable.ts"
import { usageError } from "../usageError.ts"

export interface Address {
  readonly host: string
  /** 0 selects a free one. */
  readonly port: number
  /** The path prefix, such as `/ai`; empty for the root. */
  readonly mount: string
}

interface AddressFlags {
  readonly host: Option.Option<string>
  readonly port: Option.Option<number>
  readonly mount: Option.Option<string>
}

export const chooseAddress = Effect.fnUntraced(function* (
  flags: AddressFlags,
  server: ServerConfig
) {
  const port = Option.getOrUndefined(flags.port) ?? server.port ?? (yield* readPort)
  if (!(port >= 0 && port <= 65_535)) {
    return yield* usageError(`--port must be a number from 0 to 65535, got ${port}`)
  }
  const address: Address = {
    host: Option.getOrUndefined(flags.host) ?? server.host ?? "127.0.0.1",
    port,
    mount: toMountPrefix(Option.getOrUndefined(flags.mount) ?? server.mount ?? "")
  }
  return address
})

const readPort = Effect.flatMap(readVariable("PORT"), (text = "3000") =>
  /^\d{1,5}$/.test(text)
    ? Effect.succeed(Number(text))
    : usageError(`$PORT must be a number from 0 to 65535, got ${JSON.stringify(text)}`)
)
