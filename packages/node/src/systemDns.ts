/** Addresses from the name servers of this system, without its hosts file, which names neighbours. */
import { Resolver } from "node:dns/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dns from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"

/** Waits `timeoutMillis` for an answer, twice for each name server. It answers for A and AAAA records alone. */
export const systemDns = (timeoutMillis: number): Layer.Layer<Dns.Dns> =>
  Layer.effect(
    Dns.Dns,
    Effect.gen(function* () {
      const resolver = yield* Effect.acquireRelease(
        Effect.sync(() => new Resolver({ timeout: timeoutMillis, tries: 2 })),
        (it) => Effect.sync(() => it.cancel())
      )
      return Dns.make({
        lookup: (hostname) => Effect.fail(unsupported("lookup", hostname)),
        resolve: (name, type) => {
          if (type !== "A" && type !== "AAAA") return Effect.fail(unsupported("resolve", name))
          return Effect.map(
            Effect.tryPromise({
              try: () => (type === "A" ? resolver.resolve4(name) : resolver.resolve6(name)),
              catch: (cause) => failure(name, type, cause)
            }),
            (addresses) =>
              addresses.map((text) => {
                const address = NetAddress.ipFromStringUnsafe(text)
                return NetAddress.isIpv4Address(address)
                  ? Dns.makeRecordUnsafe("A", { address })
                  : Dns.makeRecordUnsafe("AAAA", { address })
              })
          )
        }
      })
    })
  )

const failure = (hostname: string, recordType: Dns.RecordType, cause: unknown) =>
  new Dns.DnsError({ reason: "Unknown", method: "resolve", hostname, recordType, cause })

const unsupported = (method: "lookup" | "resolve", hostname: string) =>
  new Dns.DnsError({ reason: "Unsupported", method, hostname })
