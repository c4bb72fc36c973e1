/**
 * Prints the functions of the packages and of Effect that warm requests call more often because there is a cache that they do not use: JSON, by the name of
 * the case without it.
 */
import { cases, unused } from "../trace/cases.ts"
import { findEffectModule, findSource, traceCalls } from "../trace/traceCalls.ts"

type Calls = ReadonlyMap<string, number>

const trace = async (name: string): Promise<Calls> => {
  const found = cases.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no case is named ${name}`)
  const functions = await traceCalls(found.run, (url) => findSource(url) ?? findEffectModule(url))
  return new Map(functions.map(({ calls, file, line, name }) => [`${file}:${line} ${name}`, calls]))
}

const findMore = (without: Calls, withCache: Calls): ReadonlyArray<string> =>
  Array.from(withCache)
    .filter(([name, calls]) => calls > (without.get(name) ?? 0))
    .map(([name]) => name)

/** Work beside a request, such as storing records, comes with either of them, and not every time. */
const maxRounds = 10

const more: Record<string, ReadonlyArray<string>> = {}
for (const { name } of cases) {
  if (!name.endsWith(unused)) continue
  const without = name.slice(0, -unused.length)
  let found = findMore(await trace(without), await trace(name))
  for (let round = 1; round < maxRounds && found.length > 0; round++) {
    const again = new Set(findMore(await trace(without), await trace(name)))
    found = found.filter((each) => again.has(each))
  }
  more[without] = found
}
console.log(JSON.stringify(more))
process.exit(0)
