/** Bundles the page of the console before tests, because the package imports it. */
import { buildConsole } from "./scripts/buildConsole.ts"

export const setup = async (): Promise<void> => {
  await buildConsole()
}
