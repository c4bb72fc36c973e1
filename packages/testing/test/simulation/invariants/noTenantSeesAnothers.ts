/** No tenant gets the answer or the video of another one. */
import type { Exchange } from "../Client.ts"
import { findId } from "../findId.ts"
import type { World } from "../World.ts"

export const noTenantSeesAnothers = ({ client }: World): ReadonlyArray<string> => {
  const owners = new Map<string, Exchange>()
  const found: Array<string> = []
  const see = (what: string, exchange: Exchange): void => {
    const owner = owners.get(what) ?? exchange
    owners.set(what, owner)
    if (owner.tenant !== exchange.tenant) {
      found.push(`${exchange.id} of ${exchange.tenant.account} got ${what} of ${owner.id}`)
    }
  }
  for (const exchange of client.exchanges) {
    if (exchange.kind === "video" && exchange.status === 202) see(findId(exchange.text), exchange)
  }
  for (const exchange of client.exchanges) {
    if (exchange.kind === "hire" && (exchange.status ?? 500) < 300)
      see(findId(exchange.text), exchange)
  }
  for (const exchange of client.exchanges) {
    if (exchange.status !== 200) continue
    if (exchange.kind === "turn") see(exchange.path.split("/")[2] ?? "", exchange)
    if (exchange.kind === "watch") see(findId(exchange.text), exchange)
    // Every answer of a provider names itself.
    for (const [answer] of exchange.text.matchAll(/\b(?:acme|globex)-\d+\b/g)) see(answer, exchange)
  }
  return found
}
