/** Which addresses are public, so that no caller reaches the host's own network. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { HostUnresolved, NonPublicAddress } from "./OutboundHttp.ts"

/** Neither private, loopback, link-local (metadata services live there), multicast nor otherwise special. */
export const isPublicAddress = (address: NetAddress.IpAddress): boolean =>
  (NetAddress.isIpv4Address(address) ||
    globalIpv6().some((it) => IpNetwork.contains(it, address))) &&
  !specialNetworks().some((it) => IpNetwork.contains(it, address))

/** Parsed with the first address, because few processes see one. */
const makeNetworks = (ranges: ReadonlyArray<string>) => {
  let parsed: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  return () => (parsed ??= ranges.map((range) => IpNetwork.fromStringUnsafe(range)))
}

/** All that is assigned; addresses that hide an IPv4 one, such as ::ffff:127.0.0.1, are outside. */
const globalIpv6 = makeNetworks(["2000::/3"])

/** See https://www.iana.org/assignments/iana-ipv4-special-registry and its counterpart for IPv6. */
const specialNetworks = makeNetworks([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Azure's own: metadata, secrets and settings of the machine.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Teredo and others that lead elsewhere.
  "2001::/23",
  "2001:db8::/32",
  // 6to4 holds an IPv4 address.
  "2002::/16",
  "3fff::/20"
])

/** `hostname` is from a URL, in lower case, and not an IP address. */
export const isPrivateHostname = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "")
  const labels = name.split(".")
  return (
    labels.length < 2 ||
    labels.includes("") ||
    privateSuffixes.some((suffix) => `.${name}`.endsWith(suffix))
  )
}

/**
 * See RFC 6761, RFC 6762 with its appendix G, and RFC 8375; `internal` has the metadata hosts of clouds, `svc` the services
 * of a cluster (https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/).
 */
const privateSuffixes = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".svc",
  ".home.arpa",
  ".test",
  ".invalid"
]

/** `hostname` is from a URL, which normalizes addresses in any notation; undefined when it is a name. */
export const parseIpAddress = (hostname: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(NetAddress.ipFromString(hostname.replace(/^\[|\]$/g, "")))

/** Queries the DNS for the addresses of `name` of one family; rejects when the name has no addresses. */
export type ResolveName = (name: string, family: 4 | 6) => Promise<ReadonlyArray<string>>

/**
 * All addresses of `name`, IPv4 first; a single non-public one rejects the name. Only the
 * DNS counts: hosts files and search domains could name machines of the local network.
 */
export const resolvePublicAddresses = Effect.fnUntraced(function* (
  name: string,
  resolve: ResolveName
) {
  const literal = NetAddress.ipFromString(name)
  const addresses = Result.isSuccess(literal)
    ? [literal.success]
    : yield* lookupAddresses(name, resolve)
  if (!addresses.every(isPublicAddress)) return yield* new NonPublicAddress()
  const [first, ...others] = addresses
  return first === undefined ? yield* new HostUnresolved() : ([first, ...others] as const)
})

/** One family may fail as long as the other one resolves. */
const lookupAddresses = (name: string, resolve: ResolveName) =>
  Effect.zipWith(
    queryDns(() => resolve(name, 4)),
    queryDns(() => resolve(name, 6)),
    (four, six) => [...four, ...six].map(NetAddress.ipFromStringUnsafe),
    { concurrent: true }
  )

const queryDns = (resolve: () => Promise<ReadonlyArray<string>>) =>
  Effect.orElseSucceed(Effect.tryPromise(resolve), (): ReadonlyArray<string> => [])
