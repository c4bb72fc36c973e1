import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const route: ReadonlyArray<Journey> = [
  {
    title: "Route plans a request, and says what each preference changes",
    run: async (tab) => {
      await tab.goTo("#/route")
      await tab.waitFor("Choose a model")
      await tab.page.locator("input[list=models]").fill("demo/model")
      await tab.click("Preferences")
      await tab.page.locator("aria/only").fill("steady")
      await tab.click("Plan")
      await tab.waitFor("one of steady")
      await tab.waitFor("If one preference is dropped")
      await tab.waitFor("added")
      // The keyboard goes on from there.
      expect(await tab.page.evaluate("document.activeElement.innerText")).toBe("Plan")
    }
  },
  {
    title: "Route says which rules leave no endpoint",
    run: async (tab) => {
      const request = {
        model: "demo/model",
        messages: [{ role: "user", content: "Hi" }],
        provider: { only: ["nobody"] }
      }
      await tab.goTo(`#/route?request=${encodeURIComponent(JSON.stringify(request))}`)
      await tab.waitFor("No endpoint may serve this request.")
    }
  }
]
