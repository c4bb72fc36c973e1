/** What callers ask in a simulated world. */
import type { Question } from "./Client.ts"
import { findId } from "./findId.ts"
import type { RunningProcess } from "./Process.ts"
import { type Tenant, tenants } from "./Tenant.ts"
import { videoSeconds } from "./VideoStudio.ts"
import type { World } from "./World.ts"

/** A load balancer knows which processes run. */
export const pickProcess = ({ chance, slots }: World): RunningProcess | undefined => {
  const [first, ...others] = slots.flatMap(({ running }) =>
    running === undefined ? [] : [running]
  )
  return first === undefined ? undefined : chance.pick([first, ...others])
}

/** What is asked, and how often, in percent. */
const kinds = [
  ["chat", 66],
  ["video", 14],
  ["cached", 14],
  ["watch", 6]
] as const

export const makeQuestion = (world: World, id: string): Question => {
  const { chance } = world
  const tenant = chance.pick(tenants)
  let percent = chance.between(1, 100)
  const [kind] = kinds.find(([, share]) => (percent -= share) <= 0) ?? kinds[0]
  switch (kind) {
    case "chat":
      return makeChat(world, tenant, id)
    case "cached":
      return {
        ...asks(tenant.open, "cached", tenant),
        path: "/chat/completions",
        headers: { "x-openrouter-cache": "true" },
        body: {
          model: "sim/free",
          messages: [{ role: "user", content: chance.pick(["when is the tide?", "how high?"]) }]
        }
      }
    case "video":
      return makeVideo(tenant, id)
    case "watch": {
      const [video, ...videos] = world.client.exchanges.flatMap((exchange) =>
        exchange.kind === "video" && exchange.status === 202 ? [exchange] : []
      )
      return video === undefined
        ? makeChat(world, tenant, id)
        : {
            ...asks(tenant.open, "watch", tenant),
            method: "GET",
            path: `/videos/${findId(chance.pick([video, ...videos]).text)}`
          }
    }
  }
}

export const asks = (
  secret: string,
  kind: Question["kind"],
  tenant: Tenant
): Pick<Question, "kind" | "method" | "secret" | "tenant"> => ({
  tenant,
  secret,
  kind,
  method: "POST"
})

export const makeVideo = (tenant: Tenant, id: string): Question => ({
  ...asks(tenant.open, "video", tenant),
  path: "/videos",
  headers: { "idempotency-key": `${tenant.account}-${id}` },
  body: { model: "sim/film", prompt: `${id} of ${tenant.account}`, duration: videoSeconds }
})

export const makeChat = (
  { chance }: World,
  tenant: Tenant,
  id: string,
  secret = chance.pick([tenant.limited, tenant.open, tenant.doomed])
): Question => {
  const isStreamed = chance.happens(0.4)
  return {
    ...asks(secret, isStreamed ? "stream" : "whole", tenant),
    path: "/chat/completions",
    body: {
      model: "sim/chat",
      max_tokens: 100,
      ...(isStreamed ? { stream: true } : undefined),
      messages: [{ role: "user", content: `${id} of ${tenant.account}` }]
    },
    ...(chance.happens(0.1) ? { leavesAfter: chance.between(1, 1_500) } : undefined)
  }
}
