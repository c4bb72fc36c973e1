import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const fleet: ReadonlyArray<Journey> = [
  {
    title: "Fleet shows the processes, which of them answers, and the breakers of all",
    run: async (tab) => {
      await tab.goTo("#/fleet")
      await tab.waitFor("answers this page")
      const text = await tab.text()
      expect(text).toContain("ready")
      expect(text).toContain("Attempts under way")
      expect(text).not.toContain("different versions")
      await tab.waitFor("Breakers that are not closed")
      expect(await tab.measureOverflow()).toBe(0)
    }
  }
]
