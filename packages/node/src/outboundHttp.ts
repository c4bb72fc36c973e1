/** Calls addresses that callers chose with undici, which connects to checked addresses alone. */
import {
  NonPublicAddress,
  OutboundHttp,
  resolvePublicAddresses,
  type ResolveName,
  type SettingsShape
} from "@signalbox/core/adapter"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Scope from "effect/Scope"
import { isIP, type LookupFunction } from "node:net"
import type { buildConnector } from "undici"
import { systemDns } from "./systemDns.ts"
import { makeUndiciClient } from "./undiciClient.ts"

type OutboundSettings = Pick<SettingsShape, "allowPrivateNetworks" | "connectTimeoutMillis">
type MakeConnector = (options: buildConnector.BuildOptions) => buildConnector.connector

/** Resolves names with the DNS servers of the system. */
export const outboundHttp = (reach: OutboundSettings): Layer.Layer<OutboundHttp> =>
  Layer.effect(
    OutboundHttp,
    Effect.flatMap(systemDns(reach.connectTimeoutMillis), (resolve) =>
      makeOutboundHttp(reach, resolve)
    )
  )

export const makeOutboundHttp = (
  { allowPrivateNetworks, connectTimeoutMillis }: OutboundSettings,
  resolve: ResolveName
): Effect.Effect<OutboundHttp["Service"], never, Scope.Scope> => {
  const timeout = { timeout: connectTimeoutMillis }
  return makeUndiciClient((undici) => ({
    connect: allowPrivateNetworks
      ? timeout
      : makeGuardedConnector(resolve, undici.buildConnector, timeout),
    // Each request has its own connection, and so its own check.
    pipelining: 0
  }))
}

/** Connects to the checked addresses, so that a second DNS answer (rebinding) has no effect. */
const makeGuardedConnector = (
  resolve: ResolveName,
  makeConnector: MakeConnector,
  timeout: { readonly timeout: number }
): buildConnector.connector => {
  const lookup: LookupFunction = (name, { all }, callback) =>
    void Effect.runCallback(resolvePublicAddresses(name, resolve), {
      onExit: Exit.match({
        onSuccess: (addresses) => {
          const [first] = addresses
          if (all === true) callback(null, addresses.map(toLookupAddress))
          else callback(null, toLookupAddress(first).address, toLookupAddress(first).family)
        },
        onFailure: (cause) => callback(toError(Cause.squash(cause)), [])
      })
    })
  const connect = makeConnector({ ...timeout, lookup, allowH2: false, maxCachedSessions: 0 })
  return (options, callback) => {
    // For an IP address there is no lookup, and so no check.
    if (isIP(options.hostname) === 0) connect(options, callback)
    else callback(new NonPublicAddress(), null)
  }
}

const toLookupAddress = (address: NetAddress.IpAddress) => ({
  address: NetAddress.formatIp(address),
  family: NetAddress.isIpv4Address(address) ? 4 : 6
})

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error("the lookup failed", { cause: error })
