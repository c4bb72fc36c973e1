/** Calls addresses that callers chose with undici, which connects to checked addresses alone. */
import {
  NotPublic,
  OutboundHttp,
  publicAddresses,
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

type Reach = Pick<SettingsShape, "allowPrivateNetworks" | "connectDeadlineMillis">
type MakeConnector = (options: buildConnector.BuildOptions) => buildConnector.connector

/** On the DNS servers of the system. */
export const outboundHttp = (reach: Reach): Layer.Layer<OutboundHttp> =>
  Layer.effect(
    OutboundHttp,
    Effect.flatMap(systemDns(reach.connectDeadlineMillis), (resolve) =>
      makeOutboundHttp(reach, resolve)
    )
  )

export const makeOutboundHttp = (
  { allowPrivateNetworks, connectDeadlineMillis }: Reach,
  resolve: ResolveName
): Effect.Effect<OutboundHttp["Service"], never, Scope.Scope> => {
  const timeout = { timeout: connectDeadlineMillis }
  return makeUndiciClient((undici) => ({
    connect: allowPrivateNetworks ? timeout : guarded(resolve, undici.buildConnector, timeout),
    // Each request has a connection of its own, and so a check of its own.
    pipelining: 0
  }))
}

/** What is looked up is what is connected to: a name that changes its mind changes nothing. */
const guarded = (
  resolve: ResolveName,
  makeConnector: MakeConnector,
  timeout: { readonly timeout: number }
): buildConnector.connector => {
  const lookup: LookupFunction = (name, { all }, callback) =>
    void Effect.runCallback(publicAddresses(name, resolve), {
      onExit: Exit.match({
        onSuccess: (addresses) => {
          const [first] = addresses
          if (all === true) callback(null, addresses.map(asNode))
          else callback(null, asNode(first).address, asNode(first).family)
        },
        onFailure: (cause) => callback(asError(Cause.squash(cause)), [])
      })
    })
  const connect = makeConnector({ ...timeout, lookup, allowH2: false, maxCachedSessions: 0 })
  return (options, callback) => {
    // Of what is an address already nothing is looked up.
    if (isIP(options.hostname) === 0) connect(options, callback)
    else callback(new NotPublic(), null)
  }
}

const asNode = (address: NetAddress.IpAddress) => ({
  address: NetAddress.formatIp(address),
  family: NetAddress.isIpv4Address(address) ? 4 : 6
})

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error("the lookup failed", { cause: error })
