/** Once a tenant has a signing secret, each of its events is signed with it. */
import { createHmac } from "node:crypto"
import { type ReceivedEvent, toReceiver } from "../Receivers.ts"
import type { World } from "../World.ts"

export const eventsAreSigned = ({ client, receivers }: World): ReadonlyArray<string> =>
  client.exchanges.flatMap(({ endedAt = Infinity, kind, status, tenant, text }) => {
    const secret = /"secret":"(whsec_[^"]+)"/.exec(text)?.[1]
    if (kind !== "secret" || status !== 201 || secret === undefined) return []
    return receivers.received
      .filter(
        (event) =>
          event.host === toReceiver(tenant.account) &&
          event.at > endedAt + attemptMillis &&
          !isSigned(event, secret)
      )
      .map(({ at, headers }) => `${headers["webhook-id"]} was not signed at ${at}`)
  })

/** An attempt reads the secrets at its begin. */
const attemptMillis = 4_000

/** As Standard Webhooks say it. */
const isSigned = ({ body, headers }: ReceivedEvent, secret: string): boolean => {
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const expected = `v1,${createHmac("sha256", key).update(text).digest("base64")}`
  return headers["webhook-signature"]?.split(" ").includes(expected) ?? false
}
