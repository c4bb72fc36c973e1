import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const now: ReadonlyArray<Journey> = [
  {
    title: "Now shows every endpoint with its breaker and figures",
    run: async (tab) => {
      await tab.goTo("#/now")
      await tab.waitFor("demo/model@steady")
      const text = await tab.text()
      expect(text).toContain("demo/model@overloaded")
      expect(text).toContain("Requests a minute")
      await tab.click("demo/model@steady")
      await tab.page.waitForFunction(`location.hash.startsWith("#/requests?endpoint=demo")`)
      await tab.page.waitForFunction(
        `document.querySelectorAll('tbody a[href^="#/requests/gen-"]').length === 3`
      )
      await tab.goTo("#/requests?endpoint=demo%2Fmodel%40other")
      await tab.waitFor("No request of this time matches the filters.")
    }
  }
]
