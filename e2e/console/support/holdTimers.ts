/**
 * A script that lets a test run what the page does every so often: `runTimers()` does all of it at once, and `countTimers(10000)`
 * is how much of it the page does every 10 s.
 */
export const holdTimers = `{
  const held = new Map()
  const begin = globalThis.setInterval
  const end = globalThis.clearInterval
  globalThis.setInterval = (run, ...rest) => {
    const id = begin(run, ...rest)
    held.set(id, { run, every: rest[0] })
    return id
  }
  globalThis.clearInterval = (id) => {
    held.delete(id)
    end(id)
  }
  globalThis.runTimers = () => [...held.values()].forEach(({ run }) => run())
  globalThis.countTimers = (millis) => [...held.values()].filter(({ every }) => every === millis).length
}`
