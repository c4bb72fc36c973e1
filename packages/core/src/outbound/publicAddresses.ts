/** Where a name leads, provided that it leads to the open internet. Source: semantics E. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Dns from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { isPublicAddress } from "../values/isPublicAddress.ts"
import { NotPublic, Unresolved } from "./OutboundErrors.ts"

/**
 * All addresses of `name`, IPv4 first; one that is not public condemns the others. They are those of the
 * DNS alone: neither hosts files nor search domains, which name neighbours, count.
 */
export const publicAddresses = Effect.fnUntraced(function* (name: string) {
  const literal = NetAddress.ipFromString(name)
  const addresses = Result.isSuccess(literal) ? [literal.success] : yield* lookUp(name)
  if (!addresses.every(isPublicAddress)) return yield* new NotPublic()
  return Arr.isReadonlyArrayNonEmpty(addresses) ? addresses : yield* new Unresolved()
})

/** A family that cannot be asked for does not keep the other one from being used. */
const lookUp = (name: string) =>
  Dns.Dns.use((dns) =>
    Effect.zipWith(
      Effect.orElseSucceed(dns.resolve(name, "A"), () => []),
      Effect.orElseSucceed(dns.resolve(name, "AAAA"), () => []),
      (four, six): ReadonlyArray<NetAddress.IpAddress> =>
        [...four, ...six].map(({ address }) => address),
      { concurrent: true }
    )
  )
