/** Resolves a name, provided that all of its addresses are public. */
import * as Effect from "effect/Effect"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { isPublicAddress } from "./isPublicAddress.ts"
import { NonPublicAddress, HostUnresolved } from "./OutboundErrors.ts"

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
