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
  },
  {
    title: "Route has in its fields what the request has",
    run: async (tab) => {
      for (const only of ["nobody", "steady", undefined]) {
        const request = {
          model: "demo/model",
          messages: [{ role: "user", content: "Hi" }],
          provider: only === undefined ? { ignore: ["nobody"] } : { only: [only] }
        }
        await tab.goTo(`#/route?request=${encodeURIComponent(JSON.stringify(request))}`)
        await tab.waitFor(only === "nobody" ? "No endpoint may serve" : "Tried, in this order")
        await tab.page.waitForFunction(
          `Array.from(document.querySelectorAll(".field"), (field) =>
            [field.querySelector("span")?.textContent, field.querySelector("input")?.value]
          ).find(([name]) => name === "only")[1] === ${JSON.stringify(only ?? "")}`
        )
      }
    }
  }
]
