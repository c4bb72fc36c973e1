/** The address that the host of a URL is, if it is one. */
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

/** `hostname` as a URL has it: an address in any notation is written the usual way there. */
export const parseIpAddress = (hostname: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(NetAddress.ipFromString(hostname.replace(/^\[|\]$/g, "")))
