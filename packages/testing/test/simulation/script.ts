/** When callers of a simulated world ask what. */
import { asks, makeChat, makeQuestion, pickProcess } from "./questions.ts"
import { keyHashOf, type Tenant, tenants } from "./Tenant.ts"
import type { World } from "./World.ts"

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
