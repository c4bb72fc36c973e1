/** A deleted key is refused once its deletion was answered and no cache may still have it. */
import type { World } from "../World.ts"

export const deletedKeyIsRefused = ({ client }: World): ReadonlyArray<string> =>
  client.exchanges.flatMap(({ endedAt = Infinity, kind, status, tenant }) =>
    kind !== "delete" || status !== 200
      ? []
      : client.exchanges
          .filter(
            ({ secret, startedAt, status: served }) =>
              secret === tenant.doomed && startedAt > endedAt + cacheMillis && served === 200
          )
          .map(
            ({ id, startedAt }) => `${id} was served ${startedAt - endedAt} ms after the deletion`
          )
  )

/** `Settings.keyCacheTtlMillis`, and some time to arrive. */
const cacheMillis = 10_100
