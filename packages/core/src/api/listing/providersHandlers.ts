/** Handlers of the provider operations. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import { toDataEntity } from "../operation/Reply.ts"
import type { Handlers } from "../operation/Handler.ts"
import { Listing } from "../../domains/listing/Listing.ts"
import type { ProvidersApi } from "./ProvidersApi.ts"

export const providersHandlers = Effect.gen(function* () {
  const listing = yield* Listing
  const provideDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
  return {
    list: () => provideDigest(Effect.flatMap(listing.listProviders, toDataEntity))
  } satisfies Handlers<typeof ProvidersApi>
})
