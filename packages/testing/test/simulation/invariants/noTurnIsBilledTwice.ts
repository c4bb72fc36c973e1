/** Each model call of a turn is paid once. */
import type { World } from "../World.ts"

export const noTurnIsBilledTwice = ({ client, house, providers }: World): ReadonlyArray<string> =>
  client.exchanges.flatMap(({ id, kind }) => {
    if (kind !== "turn") return []
    const paid = providers.flatMap(({ bills }) =>
      bills.filter(({ isDelivered, request }) => isDelivered && request === id)
    )
    const calls = house.modelCalls.get(id) ?? 0
    return paid.length > calls ? [`the turn ${id} has ${paid.length} bills for ${calls} calls`] : []
  })
