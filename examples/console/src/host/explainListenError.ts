/** Explains how to choose another port if the port is in use, and ends the process. */
import { port } from "../router.ts"

export const explainListenError = ({ code, message }: NodeJS.ErrnoException): never => {
  const reason = code === "EADDRINUSE" ? "something else listens there" : message
  const free = port === 3001 ? 3002 : 3001
  console.error(
    `Port ${port} cannot be opened: ${reason}. Choose another one:\n\n  PORT=${free} npm start\n`
  )
  process.exit(1)
}
