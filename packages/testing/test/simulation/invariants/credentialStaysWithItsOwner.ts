/** A provider gets the credential of a customer only with requests of that customer. */
import { toCredential } from "../features/ownCredentials.ts"
import type { World } from "../World.ts"

export const credentialStaysWithItsOwner = ({
  client,
  providers
}: World): ReadonlyArray<string> => {
  const owners = new Map(client.exchanges.map(({ id, tenant }) => [id, tenant.account]))
  return providers.flatMap(({ credentialUses }) =>
    credentialUses.flatMap(({ credential, request }) => {
      const owner = owners.get(request)
      // Questions whose answers are cached name no request, so that they are the same.
      return owner === undefined || credential.startsWith(toCredential(owner, ""))
        ? []
        : [`${request} of ${owner} was sent with ${credential}`]
    })
  )
}
