/** Where a name leads, provided that it leads to the open internet. */
import * as Effect from "effect/Effect"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { isPublicAddress } from "../values/network/isPublicAddress.ts"
import { NonPublicAddress, HostUnresolved } from "./OutboundErrors.ts"

/** Asks the DNS for the addresses of `name` of one family; rejects when there are none. */
export type ResolveName = (name: string, family: 4 | 6) => Promise<ReadonlyArray<string>>

/**
 * All addresses of `name`, IPv4 first; one that is not public condemns the others. They are those of the
 * DNS alone: neither hosts files nor search domains, which name neighbours, count.
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

/** A family that cannot be asked for does not keep the other one from being used. */
const lookupAddresses = (name: string, resolve: ResolveName) =>
  Effect.zipWith(
    queryDns(() => resolve(name, 4)),
    queryDns(() => resolve(name, 6)),
    (four, six) => [...four, ...six].map(NetAddress.ipFromStringUnsafe),
    { concurrent: true }
  )

const queryDns = (resolve: () => Promise<ReadonlyArray<string>>) =>
  Effect.orElseSucceed(Effect.tryPromise(resolve), (): ReadonlyArray<string> => [])
