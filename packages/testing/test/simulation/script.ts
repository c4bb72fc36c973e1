/** What callers ask and what breaks in a simulated world. */
import type { Question } from "./Client.ts"
import type { RunningProcess } from "./Process.ts"
import { findId } from "./findId.ts"
import { keyHashOf, type Tenant, tenants } from "./Tenant.ts"
import { videoSeconds } from "./VideoStudio.ts"
import type { Slot, World } from "./World.ts"

/** When the last request begins, in virtual milliseconds. */
export const lastRequestAt = 30_000

/** Requests at random times: of anybody, or many at once with one limited key. */
export const planRequests = (world: World): void => {
  const { chance, director } = world
  const bursts = chance.between(4, 8)
  for (let burst = 0; burst < bursts; burst++) {
    const at = chance.between(3_000, lastRequestAt)
    const rushing = chance.happens(0.3) ? chance.pick(tenants) : undefined
    const size = rushing === undefined ? chance.between(1, 3) : chance.between(4, 8)
    for (let each = 0; each < size; each++) {
      director.schedule(at + chance.between(0, 20), "asks", () => ask(world, rushing))
    }
  }
  for (let repeats = chance.between(0, 2); repeats > 0; repeats--) {
    director.schedule(chance.between(4_000, lastRequestAt), "repeats", () =>
      repeatSubmissions(world)
    )
  }
  deleteKeys(world)
}

const ask = (world: World, rushing: Tenant | undefined): void => {
  const process = pickProcess(world)
  if (process === undefined) return
  world.client.send(process, (id) =>
    rushing === undefined ? makeQuestion(world, id) : makeChat(world, rushing, id, rushing.limited)
  )
}

/** A load balancer knows which processes run. */
const pickProcess = ({ chance, slots }: World): RunningProcess | undefined => {
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

const makeQuestion = (world: World, id: string): Question => {
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
      return {
        ...asks(tenant.open, "video", tenant),
        path: "/videos",
        headers: { "idempotency-key": `${tenant.account}-${id}` },
        body: { model: "sim/film", prompt: `${id} of ${tenant.account}`, duration: videoSeconds }
      }
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

const asks = (
  secret: string,
  kind: Question["kind"],
  tenant: Tenant
): Pick<Question, "kind" | "method" | "secret" | "tenant"> => ({
  tenant,
  secret,
  kind,
  method: "POST"
})

const makeChat = (
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

/** A client repeats a submission whose answer it did not get, or did not believe. */
const repeatSubmissions = (world: World): void => {
  const { chance, client } = world
  const process = pickProcess(world)
  if (process === undefined) return
  for (const exchange of client.exchanges.filter(({ kind }) => kind === "video")) {
    if (chance.happens(0.3)) client.send(process, () => exchange)
  }
}

const deleteKeys = (world: World): void => {
  const { chance, director } = world
  for (const tenant of tenants) {
    if (!chance.happens(0.4)) continue
    director.schedule(chance.between(5_000, lastRequestAt - 12_000), "deletes", () => {
      const process = pickProcess(world)
      if (process === undefined) return
      world.client.send(process, () => ({
        ...asks(tenant.management, "delete", tenant),
        method: "DELETE",
        path: `/keys/${keyHashOf(tenant.doomed)}`
      }))
    })
  }
}

/** Some worlds are calm, so that what holds only there is tried, too. */
export const planTrouble = (world: World): void => {
  const { chance, providers } = world
  if (chance.happens(0.25)) return
  for (const provider of providers) {
    provider.mood = {
      failureRate: chance.happens(0.5) ? 0.1 : 0,
      hangRate: chance.happens(0.3) ? 0.05 : 0,
      cutRate: chance.happens(0.3) ? 0.2 : 0
    }
  }
  for (let left = chance.between(0, 5); left > 0; left--) {
    world.director.schedule(chance.between(1_000, lastRequestAt), "trouble", () => trouble(world))
  }
}

const trouble = (world: World): void => {
  const { chance, slots } = world
  const slot = slots[chance.between(0, slots.length - 1)]
  if (slot === undefined || slot.machine.isOver) return
  switch (chance.between(0, 8)) {
    case 0:
    case 1:
      return world.kill(slot, chance.between(100, 8_000))
    case 2:
      return cutFor(world, slot, chance.between(100, 12_000))
    case 3:
      slot.machine.pausedUntil = world.timeline.now + chance.between(100, 15_000)
      return
    case 4:
      slot.machine.clockError += chance.pick([-1, 1]) * chance.between(500, 60_000)
      return
    case 5:
      for (const each of slots) cutFor(world, each, chance.between(100, 5_000))
      return
    case 6:
      for (const { link } of slots) link.weather.lossRate = 0.03
      return clearUpLater(world)
    default:
      for (const { link } of slots) link.weather.unlucky = chance.pick(unluckyCalls)
      return clearUpLater(world)
  }
}

/** A lost message matters most where something is written. */
const unluckyCalls = [
  "LedgerStore.settle",
  "LedgerStore.settle",
  "LedgerStore.reserve",
  "LedgerStore.release",
  "GenerationStore",
  "JobStore",
  "VideoStore",
  "commit"
] as const

const clearUpLater = (world: World): void =>
  void world.director.schedule(world.chance.between(1_000, 10_000), "clears up", () =>
    clearUp(world)
  )

const clearUp = ({ slots }: World): void => {
  for (const { link } of slots) {
    link.weather.lossRate = 0
    link.weather.unlucky = undefined
  }
}

const cutFor = ({ director }: World, slot: Slot, millis: number): void => {
  slot.link.cut()
  director.schedule(millis, `heals ${slot.name}`, () => slot.link.restore())
}

/** Everything works again. */
export const calmDown = (world: World): void => {
  clearUp(world)
  for (const slot of world.slots) {
    slot.link.restore()
    slot.machine.pausedUntil = 0
    slot.machine.clockError = 0
    world.restart(slot)
  }
}
