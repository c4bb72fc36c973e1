/** Whether an address is publicly routable; only such addresses may receive callbacks. */
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"

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
