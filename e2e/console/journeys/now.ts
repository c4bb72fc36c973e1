import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const now: Journey = {
  title: "Now shows every endpoint with its breaker and figures",
  run: async (tab) => {
    await tab.goTo("#/now")
    await tab.waitFor("demo/model@steady")
    expect(await tab.text()).toMatch(/overloaded/)
  }
}
