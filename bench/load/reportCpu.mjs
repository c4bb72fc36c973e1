/** Preloaded into a server that is not ours: reports its port to its parent process, and its CPU time on request. */
const port = process.argv.find((argument) => argument.startsWith("--port="))
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ cpuMicros: system + user })
})
process.on("disconnect", () => process.exit())
process.send?.({ port: Number(port?.slice("--port=".length)) })
