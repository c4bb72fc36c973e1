/** Runs `stop` on Ctrl-C and SIGTERM; a second signal of the same kind ends the process at once. */
export const stopOnSignal = (stop: () => Promise<unknown>): void => {
  const begin = () => {
    void stop()
  }
  process.once("SIGINT", begin)
  process.once("SIGTERM", begin)
}
