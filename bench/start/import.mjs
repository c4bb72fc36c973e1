/** Imports the given modules, and prints the cost. */
await Promise.all(process.argv.slice(2).map((name) => import(name)))
const { system, user } = process.cpuUsage()
console.log(
  JSON.stringify({
    cpuMillis: (user + system) / 1000,
    rssMegabytes: process.memoryUsage.rss() / 1e6
  })
)
