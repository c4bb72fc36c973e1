/** Handlers of the endpoint operations. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import { toDataEntity } from "../operation/Reply.ts"
import type { Handlers } from "../operation/Handler.ts"
import { Listing } from "../../domains/listing/Listing.ts"
import type { EndpointsApi } from "./EndpointsApi.ts"
import { toSlug } from "./modelsHandlers.ts"

export const endpointsHandlers = Effect.gen(function* () {
  const listing = yield* Listing
  const provideDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
  return {
    list: ({ params }) =>
      Effect.flatMap(listing.getEndpoints(toSlug(params)), ({ endpoints, model: { card } }) => {
        const { architecture, created, description, id, name } = card
        return provideDigest(
          toDataEntity({
            id,
            name,
            created,
            description,
            architecture: { ...architecture, tokenizer: architecture.tokenizer ?? null },
            endpoints
          })
        )
      }),
    listZdr: () => provideDigest(Effect.flatMap(listing.listZdrEndpoints, toDataEntity))
  } satisfies Handlers<typeof EndpointsApi>
})
