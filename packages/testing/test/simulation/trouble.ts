/** What breaks in a simulated world, and how it works again. */
import { lastRequestAt } from "./script.ts"
import type { Slot, World } from "./World.ts"

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
      world.hasClockJumped = true
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
    slot.machine.clockError = slot.clockOffset
    world.restart(slot)
  }
}
