/** Parses a port. An invalid one ends the process with an explanation. */
export const parsePort = (text: string): number => {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  console.error(`PORT must be a number from 0 to 65535, got "${text}". For example: PORT=3001`)
  process.exit(1)
}
