/** Parses the host of a URL as an IP address. */
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

/** `hostname` is from a URL, which normalizes addresses in any notation; undefined when it is a name. */
export const parseIpAddress = (hostname: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(NetAddress.ipFromString(hostname.replace(/^\[|\]$/g, "")))
