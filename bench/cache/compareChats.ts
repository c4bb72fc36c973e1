/** Chats in process on a provider in memory: without a cache, with one that they do not use, and stored and found in one. */
import { measureBytes } from "../budgets/measureBytes.ts"
import { startTalker } from "../inMemoryTalker.ts"
import { median } from "../quantile.ts"

interface Way {
  readonly name: string
  readonly ask: (content: string) => Promise<unknown>
  /** Whether each chat is another one. */
  readonly isNew: boolean
}

const prose = "What is a lighthouse for? ".repeat(10)
let asked = 0

const readMicros = (): number => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const responseCache = { enabled: true, ttlSeconds: 60 }
const sealing = { current: "one", keys: { one: "0123456789abcdef0123456789abcdef" } }

const start = async (
  name: string,
  options: Parameters<typeof startTalker>[1],
  call?: Parameters<typeof startTalker>[2],
  isNew = false
): Promise<Way> => ({ name, isNew, ask: (await startTalker("none", options, call)).ask })

/** The first of the same chat, and the first of new ones, are the base of the others. */
const startWays = async (): Promise<ReadonlyArray<Way>> => {
  return [
    await start("no cache", {}),
    await start("a cache that nobody asks for", { responseCache: { ttlSeconds: 60 } }),
    await start("a cache that the chat refuses", { responseCache }, { cache: false }),
    await start("a hit", { responseCache }),
    await start("a hit, sealed", { responseCache, sealing }),
    await start("no cache, each chat new", {}, {}, true),
    await start("a miss that is stored", { responseCache }, {}, true),
    await start("a miss that is stored sealed", { responseCache, sealing }, {}, true)
  ]
}

export const compareChats = async (rounds: number, chats: number) => {
  const ways = await startWays()
  const run = (way: Way): Promise<unknown> => way.ask(way.isNew ? `${prose}${asked++}` : prose)
  const cpu = new Map(ways.map((way) => [way, new Array<number>()]))
  for (let round = -3; round < rounds; round++) {
    for (const way of ways) {
      const before = readMicros()
      for (let chat = 0; chat < chats; chat++) await run(way)
      // The first rounds warm up.
      if (round >= 0) cpu.get(way)?.push((readMicros() - before) / chats)
    }
  }
  const bytes = new Map<Way, number>()
  for (const way of ways) bytes.set(way, await measureBytes(() => run(way), chats))
  const toBase = (isNew: boolean): Way | undefined => ways.find((way) => way.isNew === isNew)
  return ways.map((way) => {
    const base = toBase(way.isNew)
    const bases = base === undefined ? [] : (cpu.get(base) ?? [])
    const micros = cpu.get(way) ?? []
    return {
      name: way.name,
      micros: median(micros),
      /** Of pairs of rounds that follow each other. */
      ratio: median(micros.map((each, round) => each / (bases[round] ?? Number.NaN))),
      kibibytes: (bytes.get(way) ?? Number.NaN) / 1024,
      beyond: ((bytes.get(way) ?? Number.NaN) - (base && bytes.get(base))!) / 1024
    }
  })
}
